/* What is known about JIT-compiled methods: for each return address the start of its method, and from that the prolog. */
#include "tasklets.h"
#include <stdlib.h>
#include <string.h>

enum { TableSize = 1 << 14 };
typedef struct Known { uintptr_t ip; Prolog prolog; } Known;
static Known table[TableSize];
static int known;

static Known* entry_of(uintptr_t ip) {
  uint32_t at = (uint32_t)(ip * 0x9E3779B97F4A7C15ull >> 50);
  while (table[at].ip && table[at].ip != ip)
    at = (at + 1) % TableSize;
  return &table[at];
}

const Prolog* prolog_of(uintptr_t ip) {
  Known* k = entry_of(ip);
  return k->ip ? &k->prolog : NULL;
}

/* Number of the register that an instruction pushes, its length in *size; -1 for none of ours. */
static int pushed(const uint8_t* code, int* size) {
  *size = code[0] == 0x41 ? 2 : 1;
  if (code[0] == 0x53)
    return SavedRbx;
  return code[0] == 0x41 && code[1] >= 0x54 && code[1] <= 0x57 ? SavedR12 + code[1] - 0x54 : -1;
}

static int32_t immediate(const uint8_t* code, int isLong) {
  int32_t value = (int8_t)code[0];
  if (isLong)
    memcpy(&value, code, 4);
  return value;
}

/* push rbp; push of what is used; sub rsp; lea rbp, [slot of the caller's rbp]. 0 when the code does not begin so. */
static int read_prolog(const uint8_t* code, Prolog* found) {
  int32_t depth = 0;
  int size;
  memset(found, 0, sizeof *found);
  if (*code++ != 0x55)
    return 0;
  for (int r; (r = pushed(code, &size)) >= 0; code += size) {
    depth += 8;
    found->mask |= 1u << r;
    found->below[r] = depth;
  }
  if (*code == 0x50) {
    depth += 8;
    code++;
  } else if (code[0] == 0x48 && (code[1] == 0x83 || code[1] == 0x81) && code[2] == 0xEC) {
    depth += immediate(code + 3, code[1] == 0x81);
    code += code[1] == 0x81 ? 7 : 4;
  }
  if (code[0] == 0xC5 && code[1] == 0xF8 && code[2] == 0x77)
    code += 3;
  if (code[0] == 0x48 && ((code[1] == 0x8B && code[2] == 0xEC) || (code[1] == 0x89 && code[2] == 0xE5)))
    return depth == 0;
  int isLong = code[2] == 0xAC;
  return code[0] == 0x48 && code[1] == 0x8D && (isLong || code[2] == 0x6C) && code[3] == 0x24 && immediate(code + 4, isLong) == depth;
}

/* Tells of a return address and the first byte of its method. 0 when the method has no frame that can be captured. */
EXPORT int32_t tl_learn(uintptr_t ip, const uint8_t* start) {
  Prolog prolog;
  if (known >= TableSize / 2 || !read_prolog(start, &prolog))
    return 0;
  Known* k = entry_of(ip);
  if (!k->ip)
    known++;
  *k = (Known){ ip, prolog };
  return 1;
}

/* Return addresses of the callers, innermost first, up to the frame in which an address lies. */
EXPORT __attribute__((noinline)) int32_t tl_chain(uintptr_t* ips, int32_t count, uint8_t* end) {
  uintptr_t* frame = __builtin_frame_address(0);
  int32_t found = 0;
  while (found < count && frame && (uint8_t*)frame < end) {
    ips[found++] = frame[1];
    frame = (uintptr_t*)frame[0];
  }
  return found;
}

/* Where the caller is: for code that nothing else can be asked about. */
EXPORT __attribute__((noinline)) uintptr_t tl_here(void) { return (uintptr_t)__builtin_return_address(0); }
