// Video files, made by the program ffmpeg, which is fed with frames.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "cache/durable.h"
#include "picture/image.h"

namespace loam {

bool ffmpeg_is_there();

// H.264 that every player shows. The file appears under its name when finish() has returned; until then it ends in
// `.part`.
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
    Error failed(); // with what ffmpeg said
    int wait();

    std::filesystem::path path_;
    int process_ = -1; // -1: ended
    Descriptor input_, messages_;
};

} // namespace loam
