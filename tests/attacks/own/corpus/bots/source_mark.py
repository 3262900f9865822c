# line
def choose(observation):
    return 0

