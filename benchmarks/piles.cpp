/* Piles: N tubes with one ball of each of N colours in the same order, one empty tube, balls go anywhere.

       g++ -O3 -march=native -o piles benchmarks/piles.cpp && ./piles 6 28 > plan.txt

   A* with the bound of instances/sorting/detours.py, for N up to 6: written a second time, for one board. A state is
   the sorted list of its tubes' contents, numbered; 2^28 states are 18 bytes each (N = 6 needs 29 million). The bound
   is consistent, so each state is expanded once, and "no plan of f moves" holds once nothing of rank f is left.
   Standard error says how far it is; the plan on standard output is what `bsp-sat check` reads. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Key = unsigned __int128;
constexpr int MOST = 6, SETS = 1 << MOST, UNSEEN = 255;
int colours, tubes;

struct Content {
    int size, run, ball[MOST], count[MOST];  // run: how many equal balls lie at the bottom
};
std::vector<Content> contents;
std::vector<int> less, more[MOST];  // the contents with one ball less, and with one more of a colour; or -1

int number_of(const int *ball, int size) {
    int shorter = 0, value = 0;
    for (int length = 0, many = 1; length < size; length++, many *= colours) shorter += many;
    for (int i = 0; i < size; i++) value = value * colours + ball[i];
    return shorter + value;
}

void number_contents() {
    for (int size = 0, many = 1; size <= colours; size++, many *= colours)
        for (int value = 0; value < many; value++) {
            Content c{};
            c.size = size;
            for (int i = size - 1, rest = value; i >= 0; i--, rest /= colours) c.ball[i] = rest % colours;
            for (int i = 0; i < size; i++) c.count[c.ball[i]]++;
            while (c.run < size && c.ball[c.run] == c.ball[0]) c.run++;
            contents.push_back(c);
        }
    for (Content c : contents) {
        less.push_back(c.size ? number_of(c.ball, c.size - 1) : -1);
        for (int colour = 0; colour < colours; colour++) {
            if (c.size < colours) c.ball[c.size] = colour;
            more[colour].push_back(c.size < colours ? number_of(c.ball, c.size + 1) : -1);
        }
    }
}

/* least[cleared][done]: the fewest second moves, less kept balls, plus `colours` for each colour so that it is never
   negative, if these tubes are cleared, as the homes of these colours. UNSEEN: impossible. SETS bytes of padding come
   before each row, so that a row shifted by a colour can be read; `other` rules out what the shift makes wrong. */
int bound(const uint16_t *board) {
    static uint8_t least[1 << (MOST + 1)][2 * SETS], other[MOST][SETS];
    static bool ready = false;
    if (!ready) {
        ready = true;
        memset(least, UNSEEN, sizeof least);
        for (int colour = 0; colour < MOST; colour++)
            for (int done = 0; done < SETS; done++) other[colour][done] = done >> colour & 1 ? 0 : UNSEEN;
        least[0][SETS] = 0;
    }
    int balls = 0, best = UNSEEN;
    uint8_t waiting[MOST][1 << (MOST + 1)], own[MOST + 1][MOST];
    for (int i = 0; i < tubes; i++) {
        const Content &c = contents[board[i]];
        balls += c.size;
        for (int colour = 0; colour < colours; colour++)
            own[i][colour] = c.count[colour] - 2 * (c.size && c.ball[0] == colour ? c.run : 0) + colours;
    }
    for (int colour = 0; colour < colours; colour++) {
        waiting[colour][0] = 0;
        for (int set = 1; set < 1 << tubes; set++)
            waiting[colour][set] = waiting[colour][set & (set - 1)] + contents[board[__builtin_ctz(set)]].count[colour];
    }
    for (int cleared = 1; cleared < 1 << tubes; cleared++) {
        if (__builtin_popcount(cleared) > colours) continue;
        uint8_t *row = least[cleared] + SETS;
        memset(row, UNSEEN, SETS);
        for (int left = cleared; left; left &= left - 1) {
            int home = __builtin_ctz(left), before = cleared ^ 1 << home;
            for (int colour = 0; colour < colours; colour++) {
                const uint8_t *from = least[before] + SETS - (1 << colour);
                int cost = waiting[colour][before] + own[home][colour];
                for (int done = 0; done < SETS; done++) {
                    int sum = from[done] + cost;
                    uint8_t value = (uint8_t)(sum < UNSEEN ? sum : UNSEEN) | other[colour][done];
                    row[done] = std::min(row[done], value);
                }
            }
        }
        best = std::min(best, (int)row[(1 << colours) - 1]);
    }
    return balls + best - colours * colours;
}

struct States {
    std::vector<Key> key;
    std::vector<uint8_t> moves, left;  // moves made, and the bound
    uint64_t mask, used = 0;
    explicit States(int bits) : key(1ull << bits), moves(1ull << bits, UNSEEN), left(1ull << bits), mask((1ull << bits) - 1) {}
    uint32_t place(Key wanted) {  // of the state, or where it belongs
        uint64_t hash = (uint64_t)wanted * 0x9E3779B97F4A7C15 ^ (uint64_t)(wanted >> 64) * 0xC2B2AE3D27D4EB4F;
        hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9;
        for (uint64_t i = (hash ^ hash >> 32) & mask;; i = (i + 1) & mask)
            if (key[i] == wanted || key[i] == 0) return (uint32_t)i;
    }
};

struct Position {
    uint16_t tube[MOST + 1];
    Key key() {
        std::sort(tube, tube + tubes);
        Key packed = 0;
        for (int i = 0; i < tubes; i++) packed = packed << 16 | tube[i];
        return packed;
    }
    static Position of(Key packed) {
        Position p;
        for (int i = tubes - 1; i >= 0; i--, packed >>= 16) p.tube[i] = (uint16_t)packed;
        return p;
    }
    bool move(int from, int to) {
        const Content &c = contents[tube[from]];
        if (from == to || !c.size || contents[tube[to]].size == colours) return false;
        tube[to] = more[c.ball[c.size - 1]][tube[to]];
        tube[from] = less[tube[from]];
        return true;
    }
    template <class Do> void each_move(Do act) const {
        for (int from = 0; from < tubes; from++)
            for (int to = 0; to < tubes; to++) {
                Position after = *this;
                if (after.move(from, to)) act(after, from, to);
            }
    }
};

/* Every move can be taken back, so the way to the goal is found backwards, then played with tubes in their places. */
void print_plan(const States &found, Position board, Key goal, int moves) {
    std::vector<Key> way{goal};
    for (int made = moves - 1; made >= 0; made--) {
        Key before = 0;
        Position::of(way.back()).each_move([&](Position p, int, int) {
            Key key = p.key();
            uint32_t i = const_cast<States &>(found).place(key);
            if (found.key[i] == key && found.moves[i] == made) before = key;
        });
        way.push_back(before);
    }
    for (int step = moves - 1; step >= 0; step--) {
        bool done = false;
        Position now = board;
        now.each_move([&](Position after, int from, int to) {
            Position sorted = after;
            if (done || sorted.key() != way[step]) return;
            done = true;
            board = after;
            printf("%d %d\n", from + 1, to + 1);
        });
    }
}

int main(int, char **arguments) {
    colours = atoi(arguments[1]), tubes = colours + 1;
    if (colours < 2 || colours > MOST) return fprintf(stderr, "expected 2 to %d piles\n", MOST), 2;
    number_contents();
    Position board{};
    int pile[MOST];
    for (int i = 0; i < colours; i++) pile[i] = i;
    for (int i = 0; i < colours; i++) board.tube[i] = number_of(pile, colours);
    States found(atoi(arguments[2]));
    std::vector<std::vector<std::vector<uint32_t>>> waiting(256, std::vector<std::vector<uint32_t>>(256));
    uint64_t expanded = 0;
    int rank = 0;
    auto reach = [&](Position p, int moves) {
        Key key = p.key();
        uint32_t i = found.place(key);
        if (found.key[i] == 0) found.key[i] = key, found.left[i] = bound(p.tube), found.used++;
        if (found.moves[i] <= moves) return;
        found.moves[i] = moves;
        if (moves + found.left[i] < rank) fprintf(stderr, "the bound isn't consistent\n"), abort();
        waiting[moves + found.left[i]][moves].push_back(i);
    };
    reach(board, 0);
    for (;; rank++) {
        for (int moves = 255; moves >= 0; moves--) {
            while (!waiting[rank][moves].empty()) {
                uint32_t i = waiting[rank][moves].back();
                waiting[rank][moves].pop_back();
                if (found.moves[i] != moves) continue;
                if (found.left[i] == 0) {
                    fprintf(stderr, "a plan of %d moves; %lu expanded, %lu states\n", moves, expanded, found.used);
                    return print_plan(found, board, found.key[i], moves), 0;
                }
                if (found.used > found.mask / 16 * 15)
                    return fprintf(stderr, "out of memory; at least %d moves\n", rank), 3;
                expanded++;
                Position::of(found.key[i]).each_move([&](Position after, int, int) { reach(after, moves + 1); });
                moves = 255;  // a state of the same rank may have more moves
                break;
            }
        }
        if (expanded) fprintf(stderr, "no plan of %d moves; %lu expanded, %lu states\n", rank, expanded, found.used);
    }
}
