"""Lines of Vowpal Wabbit text: `label weight 'tag |namespace:2 name:value name`. No other format is known here.

The feature `name` of the namespace `ns` is called `ns^name`, and `name` where the namespace has no name.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

from regretful.core.hashing cimport absorbed

from regretful.readers.scanner cimport (
    BAR,
    CARET,
    COLON,
    NEWLINE,
    NO_MEMORY,
    QUOTE,
    Scanner,
    is_blank,
)


cdef enum:
    REMEMBERED = 64     # namespaces whose use is known
    PAIRS = 1 << 24     # crossed features of a row, at most
    STAR = 42
    WORDS = 3           # before the bar: label, weight, the prediction to begin from


cdef struct Space:
    # A namespace that was met, and what the settings say of it.
    Py_ssize_t size
    unsigned char* name
    bint used
    uint64_t left       # crosses in which it comes first, a bit each
    uint64_t right      # and second


cdef struct Part:
    # A feature that is to be crossed.
    Py_ssize_t name     # where its whole name stands in `names`
    Py_ssize_t size
    double value
    uint64_t left, right


cdef class VW(Scanner):
    """Scans Vowpal Wabbit text. used: says of a namespace whether it is; crosses: pairs of namespaces."""

    cdef object used
    cdef list crosses
    cdef bint choosy            # whether there are any of these
    cdef Space space[REMEMBERED]
    cdef Py_ssize_t spaces, turn
    cdef unsigned char* prefix  # of names in this namespace
    cdef Py_ssize_t prefix_size, prefix_room
    cdef Part* part             # of this row
    cdef Py_ssize_t parts, parts_room
    cdef unsigned char* names   # of the parts
    cdef Py_ssize_t names_size, names_room

    def __init__(self, builder, optional=False, used=None, crosses=()):
        Scanner.__init__(self, builder, optional)
        if len(crosses) > 64:
            raise ValueError(f"at most 64 crosses, not {len(crosses)}")
        self.used = used
        self.crosses = [tuple(names) for names in crosses]
        self.choosy = used is not None or len(self.crosses) > 0
        if self._enter(0, 0) < 0:
            raise MemoryError

    def __dealloc__(self):
        cdef Py_ssize_t k
        for k in range(self.spaces):
            free(self.space[k].name)
        free(self.prefix)
        free(self.part)
        free(self.names)

    cdef int row(self, Py_ssize_t at) noexcept nogil:
        cdef const unsigned char* text = self.text
        cdef const uint32_t* mark = self.found.mark
        cdef bint labelled = False, plain
        cdef uint64_t begun = self.builder.begun(), state
        cdef Py_ssize_t p, end, name, size
        cdef double label = 0.0, weight = 1.0, times, value
        cdef Space* space = NULL
        cdef int what = self._head(&at, &labelled, &label, &weight)
        if what != 0 or at < 0:  # a bad line, or an empty one
            return what
        self.parts = self.names_size = 0
        end = mark[at]
        while text[end] == BAR:
            # A namespace: |name:times
            at += 1
            name, end, times = end + 1, mark[at], 1.0
            if self._enter(name, end - name) < 0:
                return NO_MEMORY
            state = absorbed(begun, self.prefix, self.prefix_size)
            if self.choosy:
                what = self._space(name, end - name, &space)
                if what != 0:
                    return what
            if text[end] == COLON:
                at += 1
                p, end = end + 1, mark[at]
                what = self.number(p, end, &times)
                if what != 0:
                    return what
            plain = times == 1.0 and not self.choosy
            # Its features, up to the next bar
            while text[end] != NEWLINE and text[end] != BAR:
                if not is_blank(text[end]):
                    return self.fail(b"a blank", end, end + 1)
                at += 1
                name, end = end + 1, mark[at]
                if plain and text[end] == COLON:
                    at = self.usual(at, &name, state, self.prefix, self.prefix_size, False)
                    if at < 0:
                        return NO_MEMORY
                    end = mark[at]
                size = end - name
                if text[end] == COLON:
                    at += 1
                    p, end = end + 1, mark[at]
                    if size == 0:
                        return self.fail(b"a name before the colon", name, end)
                    what = self.number(p, end, &value)
                    if what != 0:
                        return what
                    value *= times
                elif size == 0:
                    continue
                else:
                    value = times
                if self.choosy:
                    if not space.used:
                        continue
                    if space.left | space.right and self._keep(space, name, size, value) < 0:
                        return NO_MEMORY
                if self.add(state, self.prefix, self.prefix_size, text + name, size, value) < 0:
                    return NO_MEMORY
        if self.parts:
            what = self._cross(begun)
            if what != 0:
                return what
        return self.end_row(labelled, label, weight)

    cdef int _head(self, Py_ssize_t* mark_at, bint* labelled, double* label, double* weight) noexcept nogil:
        """What stands before the first bar: words, of which the last may be a tag. Mark -1: there is nothing."""
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t at = mark_at[0], p = self.begin, words = 0, end
        cdef Py_ssize_t word[WORDS + 1]
        cdef Py_ssize_t word_end[WORDS + 1]
        cdef double given
        cdef int what
        while True:
            end = self.found.mark[at]
            while text[end] == COLON:   # of a tag
                at += 1
                end = self.found.mark[at]
            if end > p:
                if words > WORDS:
                    return self.fail(b"a label, a weight and a tag at most before the |", p, end)
                word[words], word_end[words] = p, end
                words += 1
            if text[end] == NEWLINE or text[end] == BAR:
                break
            if not is_blank(text[end]):
                return self.fail(b"a blank", end, end + 1)
            at += 1
            p = end + 1
        if text[end] == NEWLINE:
            mark_at[0] = -1
            return self.fail(b"a | before the features", end, end) if words else 0
        mark_at[0] = at
        if words and (word_end[words - 1] == end or text[word[words - 1]] == QUOTE):
            words -= 1  # a tag
            if words == 0 and not self.optional and text[word[0]] != QUOTE:
                return self.fail(b"a label and a blank before the | (without the blank it is a tag)", word[0], end)
        if words == 0:
            return 0
        if words > WORDS:
            return self.fail(b"a label, a weight and a tag at most before the |", word[WORDS], word_end[WORDS])
        labelled[0] = True
        what = self.number(word[0], word_end[0], label)
        if what == 0 and words > 1:
            what = self.number(word[1], word_end[1], weight)
            if what == 0 and weight[0] < 0.0:
                return self.fail(b"a weight of at least 0", word[1], word_end[1])
        if what == 0 and words > 2:
            what = self.number(word[2], word_end[2], &given)
            if what == 0 and given != 0.0:
                return self.fail(b"no prediction to begin from other than 0 (predictions begin at 0 here)",
                                 word[2], word_end[2])
        return what

    # Choosing and crossing.

    cdef int _space(self, Py_ssize_t name, Py_ssize_t size, Space** found) noexcept nogil:
        """What the settings say of a namespace."""
        cdef Py_ssize_t k
        for k in range(self.spaces):
            if self.space[k].size == size and memcmp(self.space[k].name, self.text + name, size) == 0:
                found[0] = &self.space[k]
                return 0
        with gil:
            return self._new_space(name, size, found)

    cdef int _new_space(self, Py_ssize_t name, Py_ssize_t size, Space** found) noexcept:
        cdef Space* space
        cdef void* grown
        cdef Py_ssize_t k
        text = self.text[name:name + size].decode("utf-8")
        if self.spaces < REMEMBERED:
            space = &self.space[self.spaces]
            space.name = NULL
        else:  # each is asked for again, in turn
            space = &self.space[self.turn]
            self.turn = (self.turn + 1) % REMEMBERED
        grown = realloc(space.name, size + 1)
        if grown == NULL:
            return NO_MEMORY
        space.name, space.size = <unsigned char*> grown, size
        if space == &self.space[self.spaces]:
            self.spaces += 1
        memcpy(space.name, self.text + name, size)
        space.used = self.used is None or self.used(text)
        space.left = space.right = 0
        for k, (left, right) in enumerate(self.crosses):
            space.left |= <uint64_t> (text == left) << k
            space.right |= <uint64_t> (text == right) << k
        found[0] = space
        return 0

    cdef int _enter(self, Py_ssize_t name, Py_ssize_t size) noexcept nogil:
        """The names from here on are in a namespace."""
        cdef void* grown
        if size + 1 > self.prefix_room:
            grown = realloc(self.prefix, 2 * size + 64)
            if grown == NULL:
                return -1
            self.prefix, self.prefix_room = <unsigned char*> grown, 2 * size + 64
        self.prefix_size = 0
        if size:
            memcpy(self.prefix, self.text + name, size)
            self.prefix[size] = CARET
            self.prefix_size = size + 1
        return 0

    cdef int _keep(self, Space* space, Py_ssize_t name, Py_ssize_t size, double value) noexcept nogil:
        """Keep a feature until the row is whole: its name and a star, one after the other."""
        cdef Part* part
        cdef void* grown
        cdef Py_ssize_t room = self.names_size + self.prefix_size + size + 1
        if self.parts == self.parts_room:
            grown = realloc(self.part, (2 * self.parts_room + 64) * sizeof(Part))
            if grown == NULL:
                return -1
            self.part, self.parts_room = <Part*> grown, 2 * self.parts_room + 64
        if room > self.names_room:
            grown = realloc(self.names, 2 * room + 1024)
            if grown == NULL:
                return -1
            self.names, self.names_room = <unsigned char*> grown, 2 * room + 1024
        part = &self.part[self.parts]
        part.name, part.value, part.left, part.right = self.names_size, value, space.left, space.right
        part.size = self.prefix_size + size
        memcpy(self.names + part.name, self.prefix, self.prefix_size)
        memcpy(self.names + part.name + self.prefix_size, self.text + name, size)
        self.names[part.name + part.size] = STAR
        self.names_size = room
        self.parts += 1
        return 0

    cdef int _cross(self, uint64_t begun) noexcept nogil:
        """Every pair of features of two namespaces is a feature: a*b, of the product of their values."""
        cdef Part* left
        cdef Part* right
        cdef Py_ssize_t i, j, pairs = 0
        cdef uint64_t state
        for i in range(self.parts):
            left = &self.part[i]
            if not left.left:
                continue
            state = absorbed(begun, self.names + left.name, left.size + 1)
            for j in range(self.parts):
                right = &self.part[j]
                if not left.left & right.right:
                    continue
                pairs += 1
                if pairs > PAIRS:
                    return self.fail(b"at most 16 million crossed features in a line", -1, -1)
                if self.add(state, self.names + left.name, left.size + 1, self.names + right.name, right.size,
                            left.value * right.value) < 0:
                    return NO_MEMORY
        return 0
