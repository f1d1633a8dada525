(** Plans found without places. [Moves.v] shows that each plan is a row of steps, which change two tubes wherever they
    stand. Here is the reverse: a row of steps to a goal gives a plan by the rules of [Statement.v]. So a plan can be
    built with the tubes in any order, one step before the other. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves EveryBoard.
Import ListNotations.

Section Plans.
  Variable r : rules.

  Lemma two_places : forall (s : position) a b rest, Permutation s (a :: b :: rest) ->
    exists i j, i <> j /\ nth_error s i = Some a /\ nth_error s j = Some b.
  Proof.
    intros s a b rest P. assert (I : In a s) by (rewrite P; now left). apply in_split in I as (s1 & s2 & ->).
    rewrite <- Permutation_middle in P. apply Permutation_cons_inv in P.
    assert (I : In b (s1 ++ s2)) by (rewrite P; now left).
    assert (at_end : forall (l l' : position) x, nth_error (l ++ x :: l') (length l) = Some x).
    { intros l l' x. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. }
    apply in_app_iff in I as [I|I]; apply in_split in I as (t1 & t2 & ->).
    - exists (length (t1 ++ b :: t2)), (length t1). rewrite at_end, <- app_assoc. simpl. rewrite at_end.
      rewrite app_length. simpl. repeat split. lia.
    - exists (length s1), (length (s1 ++ a :: t1)). rewrite at_end. rewrite app_length at 1.
      repeat split; [simpl; lia|].
      replace (s1 ++ a :: t1 ++ b :: t2) with ((s1 ++ a :: t1) ++ b :: t2) by now rewrite <- app_assoc.
      apply at_end.
  Qed.

  Lemma step_moved : forall s s', step r s s' -> exists m t, moved r s m = Some t /\ Permutation s' t.
  Proof.
    intros s s' (a & b & rest & a' & b' & P & M & Q). destruct (two_places _ _ _ _ P) as (i & j & N & A & B).
    destruct (two_replaced _ _ _ _ _ N A B) as (others & P' & R).
    exists (i, j), (replaced (replaced s i a') j b'). split.
    - simpl. apply Nat.eqb_neq in N. now rewrite N, A, B, M.
    - rewrite P in P'. do 2 apply Permutation_cons_inv in P'. now rewrite Q, R, P'.
  Qed.

  Lemma reaches_solvable : forall s n, reaches r s n -> solvable r s.
  Proof.
    enough (H : forall s n, reaches r s n -> forall t, Permutation s t -> solvable r t) by (intros; eapply H; eauto).
    induction 1 as [s G|s s' n S _ IH]; intros t P.
    - exists [], t. split; [reflexivity|]. now rewrite <- (goal_permuted r _ _ P).
    - destruct (step_moved t s') as (m & u & M & Q); [eapply step_permuted; eassumption|].
      destruct (IH u Q) as (plan & goal & L & G). exists (m :: plan), goal. simpl. now rewrite M.
  Qed.

  Lemma solvable_reaches : forall s, solvable r s -> exists n, reaches r s n.
  Proof. intros s (plan & S). eexists. eapply solves_reaches, S. Qed.

  Lemma goal_solvable : forall s, is_goal r s = true -> solvable r s.
  Proof. intros s G. now exists [], s. Qed.

  Lemma step_solvable : forall s s', step r s s' -> solvable r s' -> solvable r s.
  Proof.
    intros s s' S H. destruct (solvable_reaches _ H) as (n & R). apply (reaches_solvable s (Datatypes.S n)).
    econstructor; eassumption.
  Qed.

  Lemma permuted_solvable : forall s t, Permutation s t -> solvable r s -> solvable r t.
  Proof.
    intros s t P H. destruct (solvable_reaches _ H) as (n & R). eapply reaches_solvable, reaches_permuted; eassumption.
  Qed.

  (** One pour, with the tubes that it changes at the front. *)
  Lemma pour_solvable : forall a b a' b' rest, pour r a b = Some (a', b') ->
    solvable r (a' :: b' :: rest) -> solvable r (a :: b :: rest).
  Proof. intros a b a' b' rest P. apply step_solvable. exists a, b, rest, a', b'. auto. Qed.

  (** An empty or complete tube more does no harm. *)
  Lemma finished_added : forall t s, finished r t = true -> solvable r s -> solvable r (t :: s).
  Proof.
    intros t s F H. destruct (solvable_reaches _ H) as (n & R). clear H.
    induction R as [s G|s s' n (a & b & rest & a' & b' & P & M & Q) _ IH].
    - apply goal_solvable. simpl. now rewrite F.
    - apply (step_solvable _ (t :: s')); [|assumption]. exists a, b, (t :: rest), a', b'. repeat split; [|assumption|].
      + now rewrite P, (perm_swap a t), (perm_swap b t).
      + now rewrite Q, (perm_swap a' t), (perm_swap b' t).
  Qed.

  (** ** Runs: the balls of one colour on top of a tube *)

  Lemma run_split : forall (c : colour) (t : tube), exists x below, t = repeat c x ++ below /\ hd_error below <> Some c.
  Proof.
    intros c. induction t as [|d t (x & below & -> & H)]; [now exists 0, []|].
    destruct (Nat.eq_dec d c) as [->|N]; [now exists (S x), below|].
    exists 0, (d :: repeat c x ++ below). split; [reflexivity|]. simpl. congruence.
  Qed.

  Lemma transfer_run : forall c s b s' b', transfer r c s b s' b' ->
    forall x below, s = repeat c x ++ below -> hd_error below <> Some c ->
    exists y, 1 <= y <= x /\ s' = repeat c (x - y) ++ below /\ b' = repeat c y ++ b.
  Proof.
    induction 1 as [s b _|s b s' b' _ _ IH]; intros [|x] below E H; try (simpl in E; now rewrite <- E in H);
      injection E as ->.
    - exists 1. rewrite Nat.sub_succ, Nat.sub_0_r. repeat split; lia.
    - destruct (IH x below eq_refl H) as (y & L & -> & ->). exists (S y). repeat split; try lia; try reflexivity.
      simpl. change (c :: b) with (repeat c 1 ++ b). rewrite app_assoc, <- repeat_app, Nat.add_1_r. reflexivity.
  Qed.

  (** A pour moves some balls of the run: one in ball sort, and as many as fit in water sort. *)
  Lemma pour_run : forall c x below b, 1 <= x -> hd_error below <> Some c -> fits c b -> length b < capacity r ->
    exists y, 1 <= y <= x /\ length b + y <= capacity r
      /\ pour r (repeat c x ++ below) b = Some (repeat c (x - y) ++ below, repeat c y ++ b).
  Proof.
    intros c [|x] below b X H F L; [lia|]. destruct (pour r (repeat c (S x) ++ below) b) as [(a', b')|] eqn:P.
    - destruct (pour_transfers _ _ _ _ _ P) as (d & _ & T & _).
      assert (d = c) as -> by (simpl in T; now inversion T).
      destruct (transfer_run _ _ _ _ _ T _ _ eq_refl H) as (y & Y & -> & ->).
      destruct (transfer_room _ _ _ _ _ _ T) as (_ & _ & R). rewrite app_length, repeat_length in R.
      exists y. repeat split; try assumption; try lia.
    - exfalso. simpl in P. unfold takes in P. apply Nat.ltb_lt in L. rewrite L in P.
      destruct b as [|e b]; [destruct (water r); discriminate|]. simpl in F. subst e. rewrite Nat.eqb_refl in P.
      destruct (water r); discriminate.
  Qed.
End Plans.
