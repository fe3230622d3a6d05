#include "CXLSX.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <xlsxwriter.h>

// The version that this is built with: the layouts of others may differ.
#ifdef __APPLE__
#define LIBRARY "libxlsxwriter." LXW_SOVERSION ".dylib"
#else
#define LIBRARY "libxlsxwriter.so." LXW_SOVERSION
#endif

#define ALL(each) \
    each(workbook_new_opt) each(workbook_add_worksheet) each(workbook_add_format) \
    each(workbook_close) each(lxw_workbook_free) each(lxw_strerror) \
    each(worksheet_set_column) each(worksheet_freeze_panes) each(worksheet_autofilter) \
    each(worksheet_write_string) each(worksheet_write_number) each(worksheet_write_boolean) \
    each(format_set_bold) each(format_set_num_format)

static struct {
#define FIELD(name) __typeof__(&name) name;
    ALL(FIELD)
} loaded;

struct valet_xlsx {
    lxw_workbook *workbook;
    lxw_worksheet *sheet;
    lxw_format *bold, *date, *date_and_time;
};

const char *valet_xlsx_library(void) { return LIBRARY; }

bool valet_xlsx_load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
#define LOAD(name) \
    if (!(loaded.name = (__typeof__(&name))dlsym(library, #name))) return false;
    ALL(LOAD)
    return true;
}

void valet_xlsx_discard(struct valet_xlsx *file) {
    if (file->workbook) loaded.lxw_workbook_free(file->workbook);
    free(file);
}

struct valet_xlsx *valet_xlsx_new(const char *path, const char *folder, const char *sheet) {
    struct valet_xlsx *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    // Later versions have more fields.
    lxw_workbook_options options = {0};
    options.constant_memory = 1;
    options.tmpdir = (char *)folder;
    options.use_zip64 = 1;
    if ((file->workbook = loaded.workbook_new_opt(path, &options)) &&
        (file->sheet = loaded.workbook_add_worksheet(file->workbook, sheet)) &&
        (file->bold = loaded.workbook_add_format(file->workbook)) &&
        (file->date = loaded.workbook_add_format(file->workbook)) &&
        (file->date_and_time = loaded.workbook_add_format(file->workbook))) {
        loaded.format_set_bold(file->bold);
        loaded.format_set_num_format(file->date, "yyyy-mm-dd");
        loaded.format_set_num_format(file->date_and_time, "yyyy-mm-dd hh:mm:ss");
        loaded.worksheet_freeze_panes(file->sheet, 1, 0);
        return file;
    }
    valet_xlsx_discard(file);
    return NULL;
}

int valet_xlsx_column(struct valet_xlsx *file, uint16_t column, double width) {
    return loaded.worksheet_set_column(file->sheet, column, column, width, NULL);
}

int valet_xlsx_header(struct valet_xlsx *file, uint16_t column, const char *text) {
    return loaded.worksheet_write_string(file->sheet, 0, column, text, file->bold);
}

int valet_xlsx_text(struct valet_xlsx *file, uint32_t row, uint16_t column, const char *text) {
    return loaded.worksheet_write_string(file->sheet, row, column, text, NULL);
}

int valet_xlsx_number(struct valet_xlsx *file, uint32_t row, uint16_t column, double number) {
    return loaded.worksheet_write_number(file->sheet, row, column, number, NULL);
}

int valet_xlsx_boolean(struct valet_xlsx *file, uint32_t row, uint16_t column, bool value) {
    return loaded.worksheet_write_boolean(file->sheet, row, column, value, NULL);
}

int valet_xlsx_date(
    struct valet_xlsx *file, uint32_t row, uint16_t column, double days, bool has_time) {
    return loaded.worksheet_write_number(
        file->sheet, row, column, days, has_time ? file->date_and_time : file->date);
}

int valet_xlsx_close(struct valet_xlsx *file, uint32_t rows, uint16_t columns) {
    if (columns > 0) loaded.worksheet_autofilter(file->sheet, 0, 0, rows, columns - 1);
    int error = loaded.workbook_close(file->workbook);
    // That has freed it, whether it succeeded or not.
    file->workbook = NULL;
    valet_xlsx_discard(file);
    return error;
}

const char *valet_xlsx_error(int error) { return loaded.lxw_strerror(error); }
