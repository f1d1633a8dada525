// A plain A* as a good programmer writes it in an afternoon, to compare with; `peers.py` compiles and runs it.
//
//     ./plain_astar ball|water < BOARDS
//
// A board is a line of numbers: tubes, capacity, then each tube as its size and its colours from 1, bottom first. The
// answer is a line: moves of a shortest plan (-1: there is none) and expansions. States are sorted tubes. The bound is
// that of instances/README.md: balls (water: blocks) but those that may stay at the bottom. It is consistent, so a state is
// expanded once.
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

using Tube = std::string;
using Tubes = std::vector<Tube>;

static size_t capacity;
static bool water;

static size_t top_run(const Tube& tube) {
    size_t run = 1;
    while (run < tube.size() && tube[tube.size() - 1 - run] == tube.back()) ++run;
    return run;
}

static int bound(const Tubes& tubes) {
    int sum = 0, longest[256] = {};
    for (const Tube& tube : tubes) {
        size_t bottom = 1;
        while (bottom < tube.size() && tube[bottom] == tube[0]) ++bottom;
        if (water) for (size_t at = 0; at < tube.size(); ++at) sum += at == 0 || tube[at] != tube[at - 1];
        else sum += tube.size();
        if (tube.empty()) continue;
        int& most = longest[(unsigned char)tube[0]];
        most = std::max(most, water ? 1 : (int)bottom);
    }
    for (int most : longest) sum -= most;
    return sum;
}

static std::string packed(Tubes tubes) {
    std::sort(tubes.begin(), tubes.end());
    std::string key;
    for (Tube& tube : tubes) {
        tube.resize(capacity, 0);
        key += tube;
    }
    return key;
}

static Tubes unpacked(const std::string& key) {
    Tubes tubes;
    for (size_t at = 0; at < key.size(); at += capacity) {
        Tube tube = key.substr(at, capacity);
        tube.resize(std::find(tube.begin(), tube.end(), '\0') - tube.begin());
        tubes.push_back(tube);
    }
    return tubes;
}

static void solve(const Tubes& start) {
    std::unordered_map<std::string, int> moves;  // the fewest known to a state
    using State = const std::pair<const std::string, int>*;
    std::vector<std::vector<std::pair<State, int>>> open;  // by moves + bound; the last one first
    auto reach = [&](const Tubes& tubes, int cost) {
        auto [at, added] = moves.try_emplace(packed(tubes), cost);
        if (!added && at->second <= cost) return;
        at->second = cost;
        size_t rank = cost + bound(tubes);
        if (open.size() <= rank) open.resize(rank + 1);
        open[rank].push_back({&*at, cost});
    };
    reach(start, 0);
    long expansions = 0;
    for (size_t rank = 0; rank < open.size(); ++rank)
        while (!open[rank].empty()) {
            auto [state, cost] = open[rank].back();
            open[rank].pop_back();
            if (state->second < cost) continue;
            if ((int)rank == cost) {  // the bound is 0 at goals only
                std::cout << cost << ' ' << expansions << std::endl;
                return;
            }
            ++expansions;
            Tubes tubes = unpacked(state->first);
            for (size_t from = 0; from < tubes.size(); ++from) {
                if (tubes[from].empty() || (from && tubes[from] == tubes[from - 1])) continue;
                size_t run = top_run(tubes[from]);
                bool uniform = run == tubes[from].size(), tried_empty = false;
                if (uniform && run == capacity) continue;
                for (size_t to = 0; to < tubes.size(); ++to) {
                    Tube &source = tubes[from], &target = tubes[to];
                    if (to == from || target.size() == capacity) continue;
                    if (target.empty() ? uniform || tried_empty : target.back() != source.back()) continue;
                    if (target.empty()) tried_empty = true;
                    size_t amount = water ? std::min(run, capacity - target.size()) : 1;
                    char colour = source.back();
                    target.append(amount, colour);
                    source.resize(source.size() - amount);
                    reach(tubes, cost + 1);
                    source.append(amount, colour);
                    target.resize(target.size() - amount);
                }
            }
        }
    std::cout << -1 << ' ' << expansions << std::endl;
}

int main(int, char** arguments) {
    water = std::string(arguments[1]) == "water";
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream numbers(line);
        size_t count;
        numbers >> count >> capacity;
        Tubes tubes(count);
        for (Tube& tube : tubes) {
            size_t size;
            numbers >> size;
            tube.resize(size);
            for (char& cell : tube) {
                int colour;
                numbers >> colour;
                cell = (char)colour;
            }
        }
        solve(tubes);
    }
}
