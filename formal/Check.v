(** The checker, for both kinds of proof. *)

From Coq Require Import List.
From Formal Require Import Statement Listing Labels Borders.

(** What a certificate offers for its answer: a plan and labelled positions; or, to show that there is no plan, the
    tables of feet that the border argument leaves. *)
Inductive evidence :=
| ByLabels (plan : list move) (labelled : listing)
| ByBorders (tables : listing).

Definition check (r : rules) (board : position) (a : answer) (e : evidence) : bool :=
  match e, a with
  | ByLabels plan labelled, _ => check_labels r board a plan labelled
  | ByBorders tables, Unsolvable => check_borders r board tables
  | ByBorders _, Optimal _ => false
  end.

Theorem check_right : forall r board a e, check r board a e = true -> holds r board a.
Proof.
  intros r board a [plan labelled|tables] H; [exact (check_labels_right _ _ _ _ _ H)|].
  destruct a; [discriminate|]. exact (check_borders_right _ _ _ H).
Qed.
