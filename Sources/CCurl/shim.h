#ifndef VALET_CCURL_SHIM_H
#define VALET_CCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: the shapes that
// Valet needs. In parentheses, so that the functions are called and not the macros that check types.
static inline CURLcode valet_curl_set_number(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode valet_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode valet_curl_set_list(
    CURL *handle, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode valet_curl_set_object(CURL *handle, CURLoption option, void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

// For what is received: bodies and headers.
static inline CURLcode valet_curl_set_receiver(
    CURL *handle, CURLoption option, curl_write_callback value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode valet_curl_set_progress(CURL *handle, curl_xferinfo_callback value) {
    return (curl_easy_setopt)(handle, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode valet_curl_set_opener(CURL *handle, curl_opensocket_callback value) {
    return (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline long valet_curl_status(CURL *handle) {
    long status = 0;
    (curl_easy_getinfo)(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

// -1 if the server does not say.
static inline curl_off_t valet_curl_length(CURL *handle) {
    curl_off_t length = -1;
    (curl_easy_getinfo)(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}

// Where a redirect leads, as a whole address; NULL if the answer is none. It is the handle's.
static inline const char *valet_curl_redirect(CURL *handle) {
    char *address = 0;
    (curl_easy_getinfo)(handle, CURLINFO_REDIRECT_URL, &address);
    return address;
}

#endif
