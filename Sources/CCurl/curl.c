#include "CCurl.h"

#include <dlfcn.h>

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

#define ALL(each) \
    each(curl_global_init) each(curl_easy_init) each(curl_easy_cleanup) each(curl_easy_perform) \
    each(curl_easy_strerror) each(curl_easy_setopt) each(curl_easy_getinfo) \
    each(curl_slist_append) each(curl_slist_free_all) each(curl_url) each(curl_url_cleanup) \
    each(curl_url_set) each(curl_url_get) each(curl_free)

static struct {
#define FIELD(name) __typeof__(&name) name;
    ALL(FIELD)
} loaded;

bool valet_curl_load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
#define LOAD(name) \
    if (!(loaded.name = (__typeof__(&name))dlsym(library, #name))) return false;
    ALL(LOAD)
    return loaded.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

CURL *valet_curl_easy_init(void) { return loaded.curl_easy_init(); }

void valet_curl_easy_cleanup(CURL *handle) { loaded.curl_easy_cleanup(handle); }

CURLcode valet_curl_easy_perform(CURL *handle) { return loaded.curl_easy_perform(handle); }

const char *valet_curl_easy_strerror(CURLcode code) { return loaded.curl_easy_strerror(code); }

struct curl_slist *valet_curl_slist_append(struct curl_slist *list, const char *text) {
    return loaded.curl_slist_append(list, text);
}

void valet_curl_slist_free_all(struct curl_slist *list) { loaded.curl_slist_free_all(list); }

CURLU *valet_curl_url(void) { return loaded.curl_url(); }

void valet_curl_url_cleanup(CURLU *url) { loaded.curl_url_cleanup(url); }

CURLUcode valet_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags) {
    return loaded.curl_url_set(url, part, text, flags);
}

CURLUcode valet_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags) {
    return loaded.curl_url_get(url, part, text, flags);
}

void valet_curl_free(void *text) { loaded.curl_free(text); }

// In parentheses, so that the functions are called and not the macros that check types.
#define SET(handle, option, value) (loaded.curl_easy_setopt)(handle, option, value)
#define GET(handle, info, value) (loaded.curl_easy_getinfo)(handle, info, value)

CURLcode valet_curl_set_number(CURL *handle, CURLoption option, long value) {
    return SET(handle, option, value);
}

CURLcode valet_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return SET(handle, option, value);
}

CURLcode valet_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return SET(handle, option, value);
}

CURLcode valet_curl_set_object(CURL *handle, CURLoption option, void *value) {
    return SET(handle, option, value);
}

CURLcode valet_curl_set_receiver(CURL *handle, CURLoption option, curl_write_callback value) {
    return SET(handle, option, value);
}

CURLcode valet_curl_set_progress(CURL *handle, curl_xferinfo_callback value) {
    return SET(handle, CURLOPT_XFERINFOFUNCTION, value);
}

CURLcode valet_curl_set_opener(CURL *handle, curl_opensocket_callback value) {
    return SET(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

long valet_curl_status(CURL *handle) {
    long status = 0;
    GET(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

curl_off_t valet_curl_length(CURL *handle) {
    curl_off_t length = -1;
    GET(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}

const char *valet_curl_redirect(CURL *handle) {
    char *address = 0;
    GET(handle, CURLINFO_REDIRECT_URL, &address);
    return address;
}
