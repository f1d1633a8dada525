"""Sort boards in any spelling: the board that was meant, or a question.

**Syntax** is in `bsp_sat.instances.text`: the values of a text, in any language (`documents`, `brackets`). **Shape**
finds what may be tubes: in values under any key (`shapes`), in lines (`lines`), in notations with signs of their own
(`notations`, and `decoders`, which rewrite a text as values or lines), with what stands beside them (`beside`); `names`
knows what games call things, and all give a `table`.
**Sense** makes all boards of a table (`candidates`), says what speaks against each (`suspicions`), and takes one or
several (`sense`). `meant` is the door: it chooses what to look for in a text; `answer` gives boards or asks; `refused`
says what stood in the way, and what helps. `exact` spares boards in the project's own form the way through all this.
"""
