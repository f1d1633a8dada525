(** Which boards can always be solved: the statements that [EveryBoardProved.v] proves, on top of the rules in
    [Statement.v]. docs/census.md reads them aloud. Each is about ball sort and water sort, at both goals. *)

From Coq Require Import List Arith Permutation.
From Formal Require Import Statement.
Import ListNotations.

Definition solvable (r : rules) (board : position) : Prop := exists plan, solves r board plan.

(** A board of [n] colours with [k] empty tubes: besides those it has [n] full tubes, in any order, and each of the
    colours 0, 1, …, [n] - 1 has as many balls as fit into one tube. *)
Definition in_class (r : rules) (n k : nat) (board : position) : Prop :=
  exists tubes, Permutation board (tubes ++ repeat [] k)
    /\ length tubes = n
    /\ (forall t, In t tubes -> length t = capacity r)
    /\ (forall c, c < n -> count_occ Nat.eq_dec (concat tubes) c = capacity r).

Definition all_solvable (r : rules) (n k : nat) : Prop := forall board, in_class r n k board -> solvable r board.

(** With one empty tube less than colours, every board can be solved if and only if the capacity is below [n ^ n]. *)
Definition one_tube_less : Prop := forall r n, 2 <= n -> (all_solvable r n (n - 1) <-> capacity r < n ^ n).

(** With as many empty tubes as colours, or more, every board can be solved. *)
Definition enough_tubes : Prop := forall r n k, n <= k -> all_solvable r n k.

(** With two empty tubes or more, every board of capacity 2 can be solved. *)
Definition two_balls : Prop := forall r n k, capacity r = 2 -> 2 <= k -> all_solvable r n k.

(** With [k] empty tubes, more colours and a capacity of (k + 1) to the power of k + 1 or more, some board can't be
    solved. *)
Definition few_tubes : Prop := forall r n k, 1 <= k -> k < n -> (k + 1) ^ (k + 1) <= capacity r ->
  exists board, in_class r n k board /\ ~ solvable r board.

(** A board without a plan has none with an empty tube less. *)
Definition less_room : Prop := forall r before after,
  ~ solvable r (before ++ [] :: after) -> ~ solvable r (before ++ after).

(** A board without a plan has none with one tube more that is full of a new colour (or holds at least one ball). *)
Definition new_colour : Prop := forall r before after c m, 1 <= m -> ~ In c (concat (before ++ after)) ->
  ~ solvable r (before ++ after) -> ~ solvable r (before ++ repeat c m :: after).
