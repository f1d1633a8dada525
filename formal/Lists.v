(** Facts about lists: sums, the largest sum of a few elements, sorting, and ways to pick one element. *)

From Coq Require Import List Arith Lia Bool Permutation.
Import ListNotations.

(** ** Sums *)

Lemma sum_permuted : forall l l', Permutation l l' -> list_sum l = list_sum l'.
Proof. induction 1; simpl; lia. Qed.

Lemma sum_monotone : forall A (f g : A -> nat) l, (forall x, In x l -> f x <= g x) ->
  list_sum (map f l) <= list_sum (map g l).
Proof.
  intros A f g l H. unfold list_sum. induction l as [|x l IH]; [reflexivity|]. cbn [map fold_right].
  pose proof (H x (or_introl eq_refl)). assert (forall y, In y l -> f y <= g y) as H' by (intros; apply H; now right).
  specialize (IH H'). lia.
Qed.

Lemma sum_both : forall A (f g : A -> nat) l,
  list_sum (map (fun x => f x + g x) l) = list_sum (map f l) + list_sum (map g l).
Proof. intros A f g l. unfold list_sum. induction l as [|x l IH]; [reflexivity|]. cbn [map fold_right]. lia. Qed.

Lemma one_at_most : forall d l, NoDup l -> list_sum (map (fun c => if d =? c then 1 else 0) l) <= 1.
Proof.
  intros d l N. apply (NoDup_count_occ Nat.eq_dec) with (x := d) in N. apply Nat.le_trans with (2 := N). clear N.
  unfold list_sum. induction l as [|c l IH]; [reflexivity|]. cbn [map fold_right count_occ].
  destruct (Nat.eqb_spec d c), (Nat.eq_dec c d); subst; try congruence; lia.
Qed.

(** ** The largest sum of at most [m] elements *)

Fixpoint best (m : nat) (l : list nat) : nat :=
  match m, l with
  | 0, _ | _, [] => 0
  | S less, x :: rest => max (x + best less rest) (best m rest)
  end.

Lemma best_none : forall m, best m [] = 0.
Proof. now destruct m. Qed.

Lemma best_of_none : forall l, best 0 l = 0.
Proof. now destruct l. Qed.

Lemma best_step : forall m x l, best (S m) (x :: l) = max (x + best m l) (best (S m) l).
Proof. reflexivity. Qed.

Lemma best_more : forall m l, best m l <= best (S m) l.
Proof.
  intros m l. revert m. induction l as [|x l IH]; intros m; [now rewrite !best_none|].
  destruct m; [rewrite best_of_none; lia|]. rewrite !best_step. pose proof (IH m). pose proof (IH (S m)). lia.
Qed.

Lemma best_permuted : forall l l', Permutation l l' -> forall m, best m l = best m l'.
Proof.
  induction 1 as [|x l l' _ IH|x y l|l l' l'' _ IH1 _ IH2]; intros m.
  - reflexivity.
  - destruct m; [now rewrite !best_of_none|]. now rewrite !best_step, !IH.
  - destruct m as [|[|m]]; [reflexivity| |]; rewrite !best_step, ?best_of_none; [lia|].
    pose proof (best_more m l). pose proof (best_more (S m) l). lia.
  - now rewrite IH1.
Qed.

Lemma best_monotone : forall l l', Forall2 le l l' -> forall m, best m l <= best m l'.
Proof.
  induction 1 as [|x x' l l' Hx _ IH]; intros m; [reflexivity|].
  destruct m; [reflexivity|]. rewrite !best_step. pose proof (IH m). pose proof (IH (S m)). lia.
Qed.

Lemma best_one_more : forall m x l, best m (S x :: l) <= S (best m (x :: l)).
Proof. intros [|m] x l; [simpl; lia|]. rewrite !best_step. lia. Qed.

Lemma best_all : forall l m, length l <= m -> best m l = list_sum l.
Proof.
  induction l as [|x l IH]; intros m E; [apply best_none|].
  destruct m as [|m]; [inversion E|]. simpl in E. rewrite best_step, !IH by lia. simpl. lia.
Qed.

(** [m] elements are enough if all are [h] or 0 and the sum is at most [m] times [h]. *)
Lemma best_equal : forall h l m, (forall x, In x l -> x = h \/ x = 0) -> list_sum l <= m * h -> best m l = list_sum l.
Proof.
  intros h l. induction l as [|x l IH]; intros m H E; [apply best_none|].
  assert (H' : forall y, In y l -> y = h \/ y = 0) by (intros; apply H; now right).
  simpl in E. destruct m as [|m]; [simpl in *; lia|].
  rewrite best_step. simpl (list_sum (x :: l)). destruct (H x (or_introl eq_refl)) as [->| ->].
  - rewrite (IH m H') by lia. rewrite (IH (S m) H') by lia. lia.
  - rewrite (IH (S m) H') by lia. pose proof (best_more m l). rewrite (IH (S m) H') in H0 by lia. lia.
Qed.

(** The same in less time, by a table of the sums of 1, 2, …, [m] elements. *)
Fixpoint with_one (x less : nat) (table : list nat) : list nat :=
  match table with [] => [] | y :: rest => max (x + less) y :: with_one x y rest end.

Definition bests (m : nat) (l : list nat) : list nat :=
  fold_right (fun x table => match x with 0 => table | _ => with_one x 0 table end) (repeat 0 m) l.

Definition best_fast (m : nat) (l : list nat) : nat := last (bests m l) 0.

Lemma with_one_right : forall x l m k,
  with_one x (best k l) (map (fun j => best (S j) l) (seq k m)) = map (fun j => best (S j) (x :: l)) (seq k m).
Proof. intros x l m. induction m as [|m IH]; intros k; [reflexivity|]. simpl. f_equal. apply IH. Qed.

Lemma best_zero : forall m l, best m (0 :: l) = best m l.
Proof. intros [|m] l; [now rewrite !best_of_none|]. rewrite best_step. pose proof (best_more m l). lia. Qed.

Lemma bests_right : forall m l, bests m l = map (fun j => best (S j) l) (seq 0 m).
Proof.
  intros m l. induction l as [|x l IH]; simpl.
  - assert (H : forall k, repeat 0 m = map (fun _ => 0) (seq k m)); [|apply H].
    induction m as [|m IH]; intros k; [reflexivity|]. simpl. now rewrite <- IH.
  - fold (bests m l). rewrite IH. destruct x as [|x].
    + apply map_ext. intros j. symmetry. apply (best_zero (S j)).
    + rewrite <- (best_of_none l) at 1. apply (with_one_right (S x) l m 0).
Qed.

Lemma best_fast_right : forall m l, best_fast m l = best m l.
Proof.
  intros m l. unfold best_fast. rewrite bests_right. destruct m as [|m]; [now rewrite best_of_none|].
  rewrite seq_S, map_app. apply last_last.
Qed.

(** ** Total orders, given by a comparison *)

Record total_order {A} (cmp : A -> A -> comparison) : Prop := {
  equal : forall x y, cmp x y = Eq <-> x = y;
  opposite : forall x y, cmp y x = CompOpp (cmp x y);
  transitive : forall x y z, cmp x y = Lt -> cmp y z = Lt -> cmp x z = Lt;
}.

Lemma numbers_ordered : total_order Nat.compare.
Proof.
  constructor.
  - apply Nat.compare_eq_iff.
  - apply Nat.compare_antisym.
  - intros x y z. rewrite !Nat.compare_lt_iff. lia.
Qed.

(** Lists in the order of dictionaries. *)
Fixpoint compare_lists {A} (cmp : A -> A -> comparison) (l l' : list A) : comparison :=
  match l, l' with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | x :: r, y :: r' => match cmp x y with Eq => compare_lists cmp r r' | other => other end
  end.

Lemma lists_ordered : forall A (cmp : A -> A -> comparison), total_order cmp -> total_order (compare_lists cmp).
Proof.
  intros A cmp [E O T]. constructor.
  - induction x as [|x l IH]; intros [|y l']; simpl; try (split; congruence).
    destruct (cmp x y) eqn:C; try (apply E in C; subst y).
    + rewrite IH. split; congruence.
    + split; [discriminate|]. intros [= -> _]. assert (cmp y y = Eq) by now apply E. congruence.
    + split; [discriminate|]. intros [= -> _]. assert (cmp y y = Eq) by now apply E. congruence.
  - induction x as [|x l IH]; intros [|y l']; simpl; try reflexivity.
    rewrite (O x y). destruct (cmp x y); simpl; auto.
  - induction x as [|x l IH]; intros [|y l'] [|z l'']; simpl; try congruence.
    destruct (cmp x y) eqn:C, (cmp y z) eqn:D; try congruence; intros H K;
      try (apply E in C; subst y); try (apply E in D; subst z).
    + assert (cmp x x = Eq) as -> by now apply E. eauto.
    + now rewrite D.
    + now rewrite C.
    + now rewrite (T _ _ _ C D).
Qed.

(** ** Sorting, by a total order: equal for lists with the same elements *)

Section Sorting.
  Context {A : Type} (cmp : A -> A -> comparison) (ordered : total_order cmp).

  Fixpoint insert (x : A) (l : list A) : list A :=
    match l with
    | [] => [x]
    | y :: rest => match cmp x y with Gt => y :: insert x rest | _ => x :: l end
    end.

  Definition sorted (l : list A) : list A := fold_right insert [] l.

  Lemma insert_permuted : forall x l, Permutation (insert x l) (x :: l).
  Proof.
    intros x l. induction l as [|y l IH]; simpl; [reflexivity|].
    destruct (cmp x y); try reflexivity. rewrite IH. apply perm_swap.
  Qed.

  Lemma sorted_permuted : forall l, Permutation (sorted l) l.
  Proof. induction l as [|x l IH]; simpl; [reflexivity|]. now rewrite insert_permuted, IH. Qed.

  Lemma insert_swapped : forall x y l, insert x (insert y l) = insert y (insert x l).
  Proof.
    destruct ordered as [E O T].
    assert (smaller_first : forall x y, cmp x y = Lt -> forall l, insert x (insert y l) = insert y (insert x l)).
    { intros x y C. assert (D : cmp y x = Gt) by now rewrite (O x y), C.
      induction l as [|z l IH]; simpl; [now rewrite C, D|].
      destruct (cmp y z) eqn:Y; simpl.
      - apply E in Y. subst z. rewrite C. simpl. rewrite D. now rewrite (proj2 (E y y) eq_refl).
      - rewrite C, (T _ _ _ C Y). simpl. now rewrite D, Y.
      - destruct (cmp x z) eqn:X; simpl; rewrite ?D, ?Y; congruence. }
    intros x y l. destruct (cmp x y) eqn:C.
    - apply E in C. now subst y.
    - now apply smaller_first.
    - symmetry. apply smaller_first. now rewrite (O x y), C.
  Qed.

  Lemma sorted_equal : forall l l', Permutation l l' -> sorted l = sorted l'.
  Proof.
    induction 1; simpl; [reflexivity | congruence | apply insert_swapped | congruence].
  Qed.
End Sorting.

(** ** Picking one element *)

Section Picking.
  Context {A B : Type} (cmp : A -> A -> comparison) (ordered : total_order cmp).
  Variable use : A -> option B.

  Fixpoint picks_after (before l : list A) : list (B * list A) :=
    match l with
    | [] => []
    | x :: rest =>
        let further := picks_after (x :: before) rest in
        let again := match rest with [] => false | y :: _ => match cmp x y with Eq => true | _ => false end end in
        if again then further else
        match use x with Some y => (y, rev_append before rest) :: further | None => further end
    end.

  (** What can be made of an element, with the list of the others; of equal neighbours only the last one is used. *)
  Definition picks : list A -> list (B * list A) := picks_after [].

  Lemma picks_after_all : forall x y, use x = Some y -> forall l before, In x l ->
    exists r, In (y, r) (picks_after before l) /\ Permutation (before ++ l) (x :: r).
  Proof.
    intros x y U. induction l as [|z l IH]; intros before I; [contradiction|].
    assert (later : In x l -> exists r, In (y, r) (picks_after (z :: before) l)
      /\ Permutation (before ++ z :: l) (x :: r)).
    { intros J. destruct (IH (z :: before) J) as (r & I' & P). exists r. split; [assumption|].
      rewrite <- P. symmetry. apply Permutation_middle. }
    cbn [picks_after]. destruct (match l with [] => false | v :: _ => _ end) eqn:again.
    - apply later. destruct I as [->|I]; [|assumption]. destruct l as [|v l]; [discriminate|].
      destruct (cmp x v) eqn:C; try discriminate. left. symmetry. now apply (equal _ ordered).
    - destruct I as [->|I].
      + rewrite U. exists (rev_append before l). split; [now left|].
        rewrite rev_append_rev, <- Permutation_middle. apply perm_skip. now rewrite <- Permutation_rev.
      + destruct (later I) as (r & I' & P). exists r. split; [|assumption]. destruct (use z); [now right|assumption].
  Qed.

  Lemma picks_all : forall l x y r, Permutation l (x :: r) -> use x = Some y ->
    exists r', In (y, r') (picks l) /\ Permutation r' r.
  Proof.
    intros l x y r P U.
    destruct (picks_after_all x y U l []) as (r' & I & Q); [eapply Permutation_in; [symmetry; exact P | now left]|].
    exists r'. split; [assumption|]. apply (Permutation_cons_inv (a := x)). now rewrite <- Q, <- P.
  Qed.
End Picking.
