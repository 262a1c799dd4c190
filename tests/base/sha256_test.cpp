// SPDX-License-Identifier: MIT
#include "acta/base/sha256.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "support/catch.hpp"

// The digests are those of Python's hashlib and hmac.
namespace {

std::string in_hexadecimal(const std::string& bytes) {
    std::string out;
    for (const char one : bytes) {
        constexpr char digits[] = "0123456789abcdef";
        out += digits[static_cast<unsigned char>(one) / 16];
        out += digits[static_cast<unsigned char>(one) % 16];
    }
    return out;
}

using Digest = std::pair<std::size_t, const char*>;

}  // namespace

TEST_CASE("the SHA-256 of texts around the sizes of blocks is that of FIPS 180-4") {
    for (const auto& [size, digest] :
         {Digest{0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
          Digest{1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
          Digest{55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
          Digest{56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
          Digest{63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
          Digest{64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
          Digest{65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
          Digest{119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
          Digest{120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
          Digest{1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"}}) {
        INFO(size);
        CHECK(in_hexadecimal(acta::base::sha256(std::string(size, 'a'))) == digest);
    }
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    CHECK(in_hexadecimal(acta::base::sha256(all)) ==
          "40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880");
}

TEST_CASE("the HMAC of a text is that of RFC 2104, whatever the size of the key") {
    for (const auto& [size, digest] :
         {Digest{0, "e48411262715c8370cd5e7bf8e82bef53bd53712d007f3429351843b77c7bb9b"},
          Digest{20, "8d2b67f5ef2861123b44abac34456ce09ff60d4ced892ee7891c7477f70e206a"},
          Digest{64, "ebef34e13d0a0fe04593d043bc7a865106db0604211d404c18206d862e5d7852"},
          Digest{65, "00af6c42340b99e2e1d9a1cdf1547be431fe2e9bab3215c68d013ba858891927"},
          Digest{131, "59ba1905fc8de5590cdea645f741312c20dbe6eff55bc4c8e66aaa97d3cfe114"}}) {
        INFO(size);
        CHECK(in_hexadecimal(acta::base::hmac_sha256(std::string(size, '\xaa'), "Hi There")) == digest);
    }
}
