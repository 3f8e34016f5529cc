/* Walk every game of an m,n,k grid by plain backtracking and print how many there are.
 *
 * The peer of noughts.counting.backtracking: the same algorithm, the way one writes it in C.
 * Usage: walk ROWS COLS K
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int cells, line_count[64];
static int64_t lines[64][256]; /* by cell: the masks of the lines through it */
static int64_t counts[3][65];  /* by outcome (X, O, draw) and length */

static void walk(int depth, int64_t x, int64_t o) {
    for (int cell = 0; cell < cells; cell++) {
        if ((x | o) >> cell & 1)
            continue;
        int64_t own = (depth & 1 ? o : x) | (int64_t)1 << cell;
        int won = 0;
        for (int i = 0; i < line_count[cell] && !won; i++)
            won = (own & lines[cell][i]) == lines[cell][i];
        if (won)
            counts[depth & 1][depth + 1]++;
        else if (depth + 1 == cells)
            counts[2][depth + 1]++;
        else if (depth & 1)
            walk(depth + 1, x, own);
        else
            walk(depth + 1, own, o);
    }
}

int main(int argc, char **argv) {
    static const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    if (argc != 4)
        return 2;
    int rows = atoi(argv[1]), cols = atoi(argv[2]), k = atoi(argv[3]);
    cells = rows * cols;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            for (int d = 0; d < (k == 1 ? 1 : 4); d++) {
                int down = directions[d][0], right = directions[d][1];
                int last_row = row + down * (k - 1), last_col = col + right * (k - 1);
                if (last_row >= rows || last_col < 0 || last_col >= cols)
                    continue;
                int64_t mask = 0;
                for (int i = 0; i < k; i++)
                    mask |= (int64_t)1 << ((row + down * i) * cols + col + right * i);
                for (int cell = 0; cell < cells; cell++)
                    if (mask >> cell & 1)
                        lines[cell][line_count[cell]++] = mask;
            }
    walk(0, 0, 0);
    int64_t total = 0;
    for (int outcome = 0; outcome < 3; outcome++)
        for (int length = 0; length <= cells; length++)
            total += counts[outcome][length];
    printf("%lld\n", (long long)total);
    return 0;
}
