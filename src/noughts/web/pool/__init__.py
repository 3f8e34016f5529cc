"""Worker processes for tasks that take time, so that the server itself never waits for one.

::

    server process                  worker process
    pool      who gets a worker     worker    reads requests, writes progress and results
    task      a task that runs      tasks     what a worker can do: analyse, count, ...
    child     a worker's process
"""
