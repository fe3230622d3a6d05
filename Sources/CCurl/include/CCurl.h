#ifndef VALET_CCURL_H
#define VALET_CCURL_H

#include <curl/curl.h>
#include <stdbool.h>

// libcurl, which is loaded when it is first needed: with all that it needs itself, that takes 10 ms,
// and most runs of `valet` need none of it. Each function is libcurl's own of the same name; the
// variadic ones, which Swift can't call, have the shapes that Valet needs.

// Before all others, once. False if libcurl isn't there, lacks a function, or can't be started.
bool valet_curl_load(void);

CURL *valet_curl_easy_init(void);
void valet_curl_easy_cleanup(CURL *handle);
CURLcode valet_curl_easy_perform(CURL *handle);
const char *valet_curl_easy_strerror(CURLcode code);
struct curl_slist *valet_curl_slist_append(struct curl_slist *list, const char *text);
void valet_curl_slist_free_all(struct curl_slist *list);

CURLU *valet_curl_url(void);
void valet_curl_url_cleanup(CURLU *url);
CURLUcode valet_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags);
CURLUcode valet_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags);
void valet_curl_free(void *text);

CURLcode valet_curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode valet_curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode valet_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode valet_curl_set_object(CURL *handle, CURLoption option, void *value);
// For what is received: bodies and headers.
CURLcode valet_curl_set_receiver(CURL *handle, CURLoption option, curl_write_callback value);
CURLcode valet_curl_set_progress(CURL *handle, curl_xferinfo_callback value);
CURLcode valet_curl_set_opener(CURL *handle, curl_opensocket_callback value);

long valet_curl_status(CURL *handle);
// -1 if the server does not say.
curl_off_t valet_curl_length(CURL *handle);
// Where a redirect leads, as a whole address; NULL if the answer is none. It is the handle's.
const char *valet_curl_redirect(CURL *handle);

#endif
