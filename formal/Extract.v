(** The checker as an OCaml program. Numbers become machine integers of 63 bits: those of a certificate, and the sums
    and products that the checker makes of them, stay far below 2^62. *)

From Coq Require Import Extraction ExtrOcamlBasic Arith.
From Formal Require Import Statement Lists Moves Listing Borders Check.

Extraction Language OCaml.
Extract Inductive nat => "int" [ "0" "(fun n -> n + 1)" ] "(fun zero next n -> if n = 0 then zero () else next (n - 1))".
Extract Inlined Constant Init.Nat.add => "(+)".
Extract Inlined Constant Init.Nat.mul => "( * )".
Extract Constant Init.Nat.sub => "fun (n : int) m -> if n > m then n - m else 0".
Extract Constant Nat.div => "fun n m -> if m = 0 then 0 else n / m".
Extract Constant Init.Nat.max => "fun (n : int) m -> if n > m then n else m".
Extract Constant Init.Nat.min => "fun (n : int) m -> if n < m then n else m".
Extract Inlined Constant Nat.eqb => "((=) : int -> int -> bool)".
Extract Inlined Constant Nat.leb => "((<=) : int -> int -> bool)".
Extract Inlined Constant Nat.ltb => "((<) : int -> int -> bool)".
Extract Inlined Constant Nat.eq_dec => "((=) : int -> int -> bool)".
Extract Constant Nat.compare => "fun (n : int) m -> if n = m then Eq else if n < m then Lt else Gt".

Extraction "proved.ml" check moved is_goal compare_tubes compare_positions sorted feet foot is_empty blocked totals_of.
