#include "export/format.h"

namespace loam {

Result<std::string> encode_vdb(const Geometry&) {
    return Error{Fault::usage, "--to vdb", "this Loam was built without OpenVDB",
                 "install Debian's package libopenvdb-dev, run cmake again and build; or choose another format"};
}

} // namespace loam
