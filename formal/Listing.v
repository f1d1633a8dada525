(** Positions with labels, in a binary tree that the checker looks them up in. *)

From Coq Require Import List Arith Bool.
From Formal Require Import Statement Lists Moves.
Import ListNotations.

(** What a certificate says of a position: every plan from it has at least that many moves, or there is none. *)
Inductive label := AtLeast (n : nat) | NoPlan.

(** Positions stand in the tree in order. Nothing depends on the order: a position that isn't found where it is looked
    for counts as one without a label. *)

Inductive listing := Empty | Listed (smaller : listing) (s : position) (l : label) (larger : listing).

Definition compare_positions : position -> position -> comparison := compare_lists compare_tubes.

Fixpoint found (s : position) (known : listing) : option label :=
  match known with
  | Empty => None
  | Listed smaller t l larger =>
      match compare_positions s t with Eq => Some l | Lt => found s smaller | Gt => found s larger end
  end.

Fixpoint every (test : position -> label -> bool) (known : listing) : bool :=
  match known with
  | Empty => true
  | Listed smaller s l larger => every test smaller && test s l && every test larger
  end.

Lemma every_found : forall test known s l, every test known = true -> found s known = Some l -> test s l = true.
Proof.
  intros test known s l. induction known as [|smaller IH1 t l' larger IH2]; simpl; [discriminate|].
  intros E F. apply andb_true_iff in E as [E E2]. apply andb_true_iff in E as [E1 E].
  destruct (compare_positions s t) eqn:C; auto.
  apply (equal _ (lists_ordered _ _ tubes_ordered)) in C. congruence.
Qed.
