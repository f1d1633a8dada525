(** The theorem. [make] sees to it that it rests on no axioms. *)

From Formal Require Import Statement Check.

Theorem checked_answers_hold : forall (r : rules) (board : position) (a : answer) (e : evidence),
  check r board a e = true -> holds r board a.
Proof. exact check_right. Qed.

Print Assumptions checked_answers_hold.
