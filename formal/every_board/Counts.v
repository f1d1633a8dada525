(** Counting balls: those of one colour ([Moves.count] in a tube, [Moves.all_of] in several tubes), and all. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Bound Borders.
Import ListNotations.

Lemma sum_more : forall x l, list_sum (x :: l) = x + list_sum l.
Proof. reflexivity. Qed.

Lemma count_is_count_occ : forall c t, count c t = count_occ Nat.eq_dec t c.
Proof.
  intros c. induction t as [|d t IH]; [reflexivity|]. rewrite count_one_more, IH. simpl.
  destruct (Nat.eqb_spec d c), (Nat.eq_dec d c); congruence || lia.
Qed.

Lemma all_of_is_count_occ : forall c s, all_of c s = count_occ Nat.eq_dec (concat s) c.
Proof.
  intros c. induction s as [|t s IH]; [reflexivity|]. unfold all_of in *. simpl.
  rewrite count_occ_app, <- count_is_count_occ. f_equal. exact IH.
Qed.

Lemma all_of_more : forall c t s, all_of c (t :: s) = count c t + all_of c s.
Proof. reflexivity. Qed.

Lemma all_of_none : forall c, all_of c [] = 0.
Proof. reflexivity. Qed.

Lemma count_none : forall c, count c [] = 0.
Proof. reflexivity. Qed.

Lemma count_run : forall c n t, count c (repeat c n ++ t) = n + count c t.
Proof. intros. now rewrite count_joined, count_repeat, Nat.eqb_refl. Qed.

Lemma count_other_run : forall c d n t, d <> c -> count c (repeat d n ++ t) = count c t.
Proof. intros c d n t N. rewrite count_joined, count_repeat. now destruct (Nat.eqb_spec d c). Qed.

Lemma count_at_most : forall c t, count c t <= length t.
Proof. intros c. induction t as [|d t IH]; [reflexivity|]. rewrite count_one_more. simpl. destruct (d =? c); lia. Qed.

Lemma all_of_permuted : forall c s s', Permutation s s' -> all_of c s = all_of c s'.
Proof. intros c s s' P. now apply sum_permuted, Permutation_map. Qed.

Lemma all_of_joined : forall c s s', all_of c (s ++ s') = all_of c s + all_of c s'.
Proof. intros. unfold all_of. now rewrite map_app, list_sum_app. Qed.

Lemma all_of_empty : forall c k, all_of c (repeat [] k) = 0.
Proof. intros c. now induction k. Qed.


Definition balls (s : position) : nat := list_sum (map (@length colour) s).

Lemma balls_more : forall t s, balls (t :: s) = length t + balls s.
Proof. reflexivity. Qed.

Lemma balls_joined : forall s s', balls (s ++ s') = balls s + balls s'.
Proof. intros. unfold balls. now rewrite map_app, list_sum_app. Qed.

Lemma balls_permuted : forall s s', Permutation s s' -> balls s = balls s'.
Proof. intros s s' P. apply sum_permuted. exact (Permutation_map (@length colour) P). Qed.

Lemma run_length : forall (c : colour) n (t : tube), length (repeat c n ++ t) = n + length t.
Proof. intros. now rewrite app_length, repeat_length. Qed.
