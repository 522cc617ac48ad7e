// Video files, made by the program ffmpeg, which is fed with frames.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "cache/durable.h"
#include "picture/image.h"

namespace loam {

bool ffmpeg_is_there();

// H.264 that every player shows. The file appears under its name when finish() has returned, and is whole then: it was
// read again, frame by frame. Until then its name ends in `.part`, and a file that was there before stays.
class VideoWriter {
public:
    static Result<VideoWriter> start(const std::filesystem::path& path, Size size, double fps);
    VideoWriter(VideoWriter&& other) noexcept;
    VideoWriter& operator=(VideoWriter&&) = delete;
    ~VideoWriter(); // an unfinished video is removed

    Status add(const Bitmap& frame);
    Status finish();

private:
    VideoWriter(std::filesystem::path path, int process, Descriptor input, Descriptor messages)
        : path_(std::move(path)), process_(process), input_(std::move(input)), messages_(std::move(messages)) {}
    Error failed(const std::string& instead); // with what ffmpeg said, if it said anything
    Status check_whole() const;
    int wait();

    std::filesystem::path path_;
    int process_ = -1; // -1: ended
    Descriptor input_, messages_;
    std::size_t frames_ = 0;
};

} // namespace loam
