#include "cache/log.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cache/test_support.h"

namespace loam {
namespace {

using test::Scratch;

LogLine line(int frame, double time) { return {{"frame", frame}, {"time", time}}; }

TEST(Log, KeepsLinesInTheOrderOfTheirKeys) {
    const Scratch scratch;
    Result<LogWriter> writer = LogWriter::open(scratch / "log.jsonl");
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->append(line(0, 0)));
    ASSERT_TRUE(writer->append(line(1, 0.04)));
    EXPECT_EQ(test::slurp(scratch / "log.jsonl"), "{\"frame\":0,\"time\":0.0}\n{\"frame\":1,\"time\":0.04}\n");
    const Result<Log> log = read_log_file(scratch / "log.jsonl");
    ASSERT_TRUE(log);
    EXPECT_TRUE(log->tidy);
    ASSERT_EQ(log->lines.size(), 2u);
    EXPECT_EQ(log->lines[1], line(1, 0.04));
}

TEST(Log, AbsentIsEmpty) {
    const Scratch scratch;
    const Result<Log> log = read_log_file(scratch / "log.jsonl");
    ASSERT_TRUE(log);
    EXPECT_TRUE(log->lines.empty());
}

TEST(Log, ATornLineIsLeftOutAndRepaired) {
    const Scratch scratch;
    const std::string first = "{\"frame\":0,\"time\":0.0}\n", second = "{\"frame\":1,\"time\":0.04}\n";
    for (std::size_t size = 1; size < second.size(); ++size) {
        test::spill(scratch / "log.jsonl", first + second.substr(0, size));
        Result<Log> log = read_log_file(scratch / "log.jsonl");
        ASSERT_TRUE(log);
        EXPECT_FALSE(log->tidy);
        EXPECT_EQ(log->lines.size(), 1u);
        Result<LogWriter> writer = LogWriter::open(scratch / "log.jsonl");
        ASSERT_TRUE(writer && writer->append(line(1, 0.04)));
        EXPECT_EQ(test::slurp(scratch / "log.jsonl"), first + second) << size;
    }
}

TEST(Log, OfAFrameComputedAgainTheLastLineCounts) {
    const Scratch scratch;
    Result<LogWriter> writer = LogWriter::open(scratch / "log.jsonl");
    ASSERT_TRUE(writer);
    for (const LogLine& l : {line(0, 0), line(1, 1), line(2, 2), line(1, 10)}) ASSERT_TRUE(writer->append(l));
    const Result<Log> log = read_log_file(scratch / "log.jsonl");
    ASSERT_TRUE(log);
    EXPECT_FALSE(log->tidy);
    ASSERT_EQ(log->lines.size(), 3u);
    EXPECT_EQ(log->lines[1], line(1, 10));
}

TEST(Log, ToleratesAnyBytes) {
    const Scratch scratch;
    const std::string noise("\xff\xfe\0 \n", 5);
    test::spill(scratch / "log.jsonl", noise + "[]\n{\"frame\":-1}\n{\"frame\":\"x\"}\n\n{\"frame\":3}\n");
    const Result<Log> log = read_log_file(scratch / "log.jsonl");
    ASSERT_TRUE(log);
    ASSERT_EQ(log->lines.size(), 1u);
    EXPECT_EQ(log->lines[0]["frame"], 3);
}

TEST(Log, RefusesALineWithoutFrame) {
    const Scratch scratch;
    Result<LogWriter> writer = LogWriter::open(scratch / "log.jsonl");
    ASSERT_TRUE(writer);
    EXPECT_FALSE(writer->append(LogLine{{"time", 1}}));
    EXPECT_TRUE(writer->append(LogLine{{"frame", 1}, {"body", "\xff"}}));
}

TEST(Log, AFullDiskLeavesNoHalfLine) {
    const Scratch scratch;
    const int code = test::in_child([&] {
        Result<LogWriter> writer = LogWriter::open(scratch / "log.jsonl");
        if (!writer || !writer->append(line(0, 0))) return 1;
        test::allow_files_up_to(30);
        return writer->append(line(1, 0.04)) ? 2 : 0;
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(test::slurp(scratch / "log.jsonl"), "{\"frame\":0,\"time\":0.0}\n");
}

} // namespace
} // namespace loam
