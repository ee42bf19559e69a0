// pages.h: the pages of programs and libraries that a process maps.

#ifndef TOUCHLINE_PAGES_H
#define TOUCHLINE_PAGES_H

// Unmaps the pages of code and constants of this program and its libraries. The next access maps a page again from the
// page cache, where it stays. Relocated and written pages are not touched.
void system_unmap_program_pages(void);

#endif
