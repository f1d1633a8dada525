"""Sort boards in any spelling: the board that was meant, or a question.

Three layers. **Syntax** is in `bsp_sat.instances.text`: the values of a text, in any language (`documents`,
`brackets`). **Shape** finds what may be tubes: in values under any key (`shapes`), in lines (`lines`), in notations with
signs of their own (`notations`); `names` knows what games call things. **Sense** makes all boards of it
(`candidates`), judges all of them alike by what speaks against each (`suspicions`), and takes one, or asks (`sense`). `meant` is the door; `exact` spares boards in the own form the way through it.
"""
