#ifndef VALET_CXLSX_H
#define VALET_CXLSX_H

#include <stdbool.h>
#include <stdint.h>

// A workbook of one sheet, written row by row in constant memory. Its library, libxlsxwriter, is
// loaded when it is first needed, and need not be there.

struct valet_xlsx;

// False if libxlsxwriter isn't there, or lacks a function.
bool valet_xlsx_load(void);

// The file that `valet_xlsx_load` looks for.
const char *valet_xlsx_library(void);

// `folder` is where rows are kept until the file is closed. NULL if there is no memory, or `sheet`
// is no name of a sheet.
struct valet_xlsx *valet_xlsx_new(const char *path, const char *folder, const char *sheet);

// The following return 0, or an error for `valet_xlsx_error`. Columns come before rows, rows in
// their order; `row` 0 is the header, which stays on top.
int valet_xlsx_column(struct valet_xlsx *file, uint16_t column, double width);
int valet_xlsx_header(struct valet_xlsx *file, uint16_t column, const char *text);
int valet_xlsx_text(struct valet_xlsx *file, uint32_t row, uint16_t column, const char *text);
int valet_xlsx_number(struct valet_xlsx *file, uint32_t row, uint16_t column, double number);
int valet_xlsx_boolean(struct valet_xlsx *file, uint32_t row, uint16_t column, bool value);
// `days` since 1899-12-30.
int valet_xlsx_date(
    struct valet_xlsx *file, uint32_t row, uint16_t column, double days, bool has_time);

// Ends the file, which is the caller's to remove if that fails. Frees `file` in any case.
int valet_xlsx_close(struct valet_xlsx *file, uint32_t rows, uint16_t columns);
// Frees it without an end.
void valet_xlsx_discard(struct valet_xlsx *file);

const char *valet_xlsx_error(int error);

#endif
