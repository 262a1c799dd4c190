// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

// On Windows it brings in windows.h, whose macros min and max nobody wants.
#if defined(_WIN32) && !defined(NOMINMAX)
#define NOMINMAX
#define ACTA_DETAIL_NOMINMAX 1
#endif

#include <curl/curl.h>

#if defined(ACTA_DETAIL_NOMINMAX)
#undef NOMINMAX
#undef ACTA_DETAIL_NOMINMAX
#endif
