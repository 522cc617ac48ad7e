#include "picture/png.h"

#include <cstddef>

#include <png.h>

#include "cache/durable.h"

namespace loam {
namespace {

png_image description(Size size) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(size.width);
    image.height = static_cast<png_uint_32>(size.height);
    image.format = PNG_FORMAT_RGB;
    return image;
}

} // namespace

Status write_png(const std::filesystem::path& path, const Bitmap& picture) {
    png_image image = description(picture.size);
    image.flags = PNG_IMAGE_FLAG_FAST;
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image); // NOLINT: libpng's own macro
    std::vector<std::byte> encoded(bytes);
    if (!png_image_write_to_memory(&image, encoded.data(), &bytes, 0, picture.bytes.data(), 0, nullptr))
        return Error{Fault::file, path.string(), std::string("the picture cannot be encoded: ") + image.message, ""};
    const Bytes pieces[] = {Bytes(encoded.data(), bytes)};
    return write_durably(path, pieces);
}

Result<Bitmap> read_png(const std::filesystem::path& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path.c_str()))
        return Error{Fault::file, path.string(), std::string("is not a PNG picture: ") + image.message, ""};
    image.format = PNG_FORMAT_RGB;
    Bitmap picture(Size{static_cast<int>(image.width), static_cast<int>(image.height)});
    if (!png_image_finish_read(&image, nullptr, picture.bytes.data(), 0, nullptr))
        return Error{Fault::file, path.string(), std::string("the picture is damaged: ") + image.message, ""};
    return picture;
}

} // namespace loam
