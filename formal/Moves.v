(** Moves without places. A move changes two tubes of a position, wherever they stand. So plans are followed here up to
    the order of tubes: whatever has no plan of this kind has no plan in the sense of [Statement.v]. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists.
Import ListNotations.

(** Tubes in the order of dictionaries. *)
Definition compare_tubes : tube -> tube -> comparison := compare_lists Nat.compare.

Lemma tubes_ordered : total_order compare_tubes.
Proof. apply lists_ordered, numbers_ordered. Qed.

Section Moves.
  Variable r : rules.

  Definition step (s s' : position) : Prop :=
    exists a b rest a' b', Permutation s (a :: b :: rest) /\ pour r a b = Some (a', b')
      /\ Permutation s' (a' :: b' :: rest).

  (** A goal can be reached in [n] moves. *)
  Inductive reaches : position -> nat -> Prop :=
  | Reached : forall s, is_goal r s = true -> reaches s 0
  | Further : forall s s' n, step s s' -> reaches s' n -> reaches s (S n).

  (** ** Plans reach goals *)

  Lemma one_replaced : forall (s : position) i a, nth_error s i = Some a ->
    exists rest, Permutation s (a :: rest) /\ forall a', Permutation (replaced s i a') (a' :: rest).
  Proof.
    induction s as [|t s IH]; intros [|i] a E; simpl in E; try discriminate.
    - injection E as ->. now exists s.
    - destruct (IH _ _ E) as (rest & P & Q). exists (t :: rest). split.
      + rewrite P. apply perm_swap.
      + intros a'. simpl. rewrite Q. apply perm_swap.
  Qed.

  Lemma two_replaced : forall (s : position) i j a b, i <> j -> nth_error s i = Some a -> nth_error s j = Some b ->
    exists rest, Permutation s (a :: b :: rest)
      /\ forall a' b', Permutation (replaced (replaced s i a') j b') (a' :: b' :: rest).
  Proof.
    induction s as [|t s IH]; intros [|i] [|j] a b D E F; simpl in E, F; try discriminate; try congruence.
    - injection E as ->. destruct (one_replaced _ _ _ F) as (rest & P & Q). exists rest. split.
      + now rewrite P.
      + intros a' b'. simpl. now rewrite Q.
    - injection F as ->. destruct (one_replaced _ _ _ E) as (rest & P & Q). exists rest. split.
      + rewrite P. apply perm_swap.
      + intros a' b'. simpl. rewrite Q. apply perm_swap.
    - assert (D' : i <> j) by congruence. destruct (IH _ _ _ _ D' E F) as (rest & P & Q). exists (t :: rest). split.
      + rewrite P. now rewrite perm_swap, (perm_swap _ b).
      + intros a' b'. simpl. rewrite Q. now rewrite perm_swap, (perm_swap _ b').
  Qed.

  Lemma moved_steps : forall s m s', moved r s m = Some s' -> step s s'.
  Proof.
    intros s [i j] s' E. simpl in E. destruct (Nat.eqb_spec i j) as [|D]; [discriminate|].
    destruct (nth_error s i) as [a|] eqn:A; [|discriminate].
    destruct (nth_error s j) as [b|] eqn:B; [|discriminate].
    destruct (pour r a b) as [(a', b')|] eqn:P; [|discriminate]. injection E as <-.
    destruct (two_replaced _ _ _ _ _ D A B) as (rest & Q & R). exists a, b, rest, a', b'. auto.
  Qed.

  Lemma solves_reaches : forall plan s, solves r s plan -> reaches s (length plan).
  Proof.
    induction plan as [|m plan IH]; intros s (goal & P & G); simpl in P.
    - injection P as ->. now constructor.
    - destruct (moved r s m) as [s'|] eqn:M; [|discriminate].
      econstructor; [eapply moved_steps, M|]. apply IH. now exists goal.
  Qed.

  (** ** The order of tubes does not matter *)

  Lemma goal_permuted : forall s t, Permutation s t -> is_goal r s = is_goal r t.
  Proof.
    unfold is_goal. induction 1; simpl; try congruence.
    now rewrite !andb_assoc, (andb_comm (finished r y)).
  Qed.

  Lemma step_permuted : forall s t s', Permutation s t -> step s s' -> step t s'.
  Proof.
    intros s t s' P (a & b & rest & a' & b' & Q & E & R). exists a, b, rest, a', b'. split; [|auto].
    now rewrite <- P.
  Qed.

  Lemma reaches_permuted : forall s t n, Permutation s t -> reaches s n -> reaches t n.
  Proof.
    intros s t n P R. destruct R as [s G | s s' n S R].
    - constructor. now rewrite <- (goal_permuted s t P).
    - econstructor; [eapply step_permuted, S|]; eassumption.
  Qed.

  (** ** All moves *)

  (** The positions after all moves, in some order of their tubes. *)
  Definition next (s : position) : list position :=
    flat_map (fun one =>
      map (fun two => fst (fst two) :: snd (fst two) :: snd two) (picks compare_tubes (pour r (fst one)) (snd one)))
      (picks compare_tubes (fun a => match a with [] => None | _ => Some a end) s).

  Lemma next_all : forall s s', step s s' -> exists t, In t (next s) /\ Permutation s' t.
  Proof.
    intros s s' (a & b & rest & a' & b' & P & E & Q).
    destruct (picks_all _ tubes_ordered (fun a => match a with [] => None | _ => Some a end) _ _ a _ P)
      as (one & I & P1); [now destruct a|].
    destruct (picks_all _ tubes_ordered (pour r a) _ _ (a', b') _ P1 E) as (two & J & P2).
    exists (a' :: b' :: two). split.
    - unfold next. apply in_flat_map. exists (a, one). split; [assumption|].
      apply in_map_iff. now exists ((a', b'), two).
    - now rewrite Q, P2.
  Qed.

  (** ** What a pour does: balls of one colour go from one tube to another, one at a time *)

  Inductive transfer (c : colour) : tube -> tube -> tube -> tube -> Prop :=
  | Last : forall a b, length b < capacity r -> transfer c (c :: a) b a (c :: b)
  | More : forall a b a' b', length b < capacity r -> transfer c a (c :: b) a' b' -> transfer c (c :: a) b a' b'.

  Definition fits (c : colour) (b : tube) : Prop := match b with [] => True | d :: _ => d = c end.

  Lemma put_more_transfers : forall c a b, length b < capacity r ->
    transfer c (c :: a) b (fst (put_more r c a (c :: b))) (snd (put_more r c a (c :: b))).
  Proof.
    intros c a. induction a as [|d a IH]; intros b L; [now constructor|]. cbn [put_more].
    destruct (Nat.eqb_spec d c) as [->|N]; [|now constructor].
    destruct (Nat.ltb_spec (length (c :: b)) (capacity r)) as [L'|L']; cbn [andb]; [|now constructor].
    apply More; [assumption|]. now apply IH.
  Qed.

  Lemma pour_transfers : forall a b a' b', pour r a b = Some (a', b') ->
    exists c, fits c b /\ transfer c a b a' b' /\ (water r = false -> a = c :: a' /\ b' = c :: b).
  Proof.
    intros [|c a] b a' b' E; [discriminate|]. unfold pour in E.
    destruct (takes r c b) eqn:T; [|discriminate]. unfold takes in T.
    apply andb_true_iff in T as [L F]. apply Nat.ltb_lt in L.
    exists c. split; [|split].
    - destruct b as [|d b]; [exact I|]. now apply Nat.eqb_eq in F.
    - destruct (water r).
      + injection E as E. pose proof (put_more_transfers c a b L) as H. now rewrite E in H.
      + injection E as <- <-. now constructor.
    - intros W. rewrite W in E. now injection E as <- <-.
  Qed.

  (** ** What no move changes *)

  Definition count (c : colour) (t : tube) : nat := list_sum (map (fun d => if d =? c then 1 else 0) t).
  Definition all_of (c : colour) (s : position) : nat := list_sum (map (count c) s).

  Lemma count_one_more : forall c d t, count c (d :: t) = (if d =? c then 1 else 0) + count c t.
  Proof. reflexivity. Qed.

  Lemma transfer_counts : forall c d a b a' b', transfer d a b a' b' -> count c a + count c b = count c a' + count c b'.
  Proof. induction 1; rewrite !count_one_more in *; lia. Qed.

  Lemma transfer_room : forall c a b a' b', transfer c a b a' b' ->
    length a' < length a /\ length b < capacity r /\ length b' <= capacity r.
  Proof. induction 1; simpl in *; lia. Qed.

  Definition fitting (s : position) : Prop := Forall (fun t => length t <= capacity r) s.

  Lemma step_counts : forall c s s', step s s' -> all_of c s' = all_of c s.
  Proof.
    intros c s s' (a & b & rest & a' & b' & P & E & Q). unfold all_of.
    rewrite (sum_permuted _ _ (Permutation_map (count c) P)), (sum_permuted _ _ (Permutation_map (count c) Q)).
    destruct (pour_transfers _ _ _ _ E) as (d & _ & T & _). pose proof (transfer_counts c _ _ _ _ _ T). simpl. lia.
  Qed.

  Lemma step_length : forall s s', step s s' -> length s' = length s.
  Proof.
    intros s s' (a & b & rest & a' & b' & P & _ & Q).
    now rewrite (Permutation_length P), (Permutation_length Q).
  Qed.

  Lemma step_fits : forall s s', step s s' -> fitting s -> fitting s'.
  Proof.
    intros s s' (a & b & rest & a' & b' & P & E & Q) F. unfold fitting in *. rewrite P in F. rewrite Q.
    inversion_clear F as [|? ? A F']. inversion_clear F' as [|? ? B F].
    destruct (pour_transfers _ _ _ _ E) as (c & _ & T & _). destruct (transfer_room _ _ _ _ _ T) as (? & ? & ?).
    repeat constructor; try assumption; lia.
  Qed.
End Moves.
