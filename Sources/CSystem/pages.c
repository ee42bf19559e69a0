#define _GNU_SOURCE
#include "pages.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

static int unmap_pages(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    uintptr_t page = *(const uintptr_t *)context;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        // A segment that the loader has relocated is writable, even where it was made read-only afterwards.
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz + page - 1) & ~(page - 1);
        // The kernel refuses its own pages (vdso), which do not matter here.
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void system_unmap_program_pages(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(unmap_pages, &page);
}
