"""The adapter between the vector format (rules.md section 9) and the engine.

| file | job |
|---|---|
| `files.py` | read a vector file, tell which presets exist |
| `given.py` | the position or the numbers that a vector starts from |
| `acting.py` | do its actions, step by step |
| `facts.py` | what the position after them is, fact by fact, for comparison |
| `procedures.py` | dealing, seating, counting, scoring, finishing: what is no turn |
| `running.py` | one vector, start to end |
| `<game>.py` | the same for another game: `run(vector)`, found by the game's id |

A key that the adapter does not know fails the vector; only documented prose is left out.
"""
