(** A tube of a new colour helps no board.

    Take a plan for the board with that tube. No move puts the new colour and another one into the same tube, so at all
    times some tube has the new colour alone. Take one such tube away and empty the others: a move of the new colour
    then changes nothing, and any other move is one of the smaller board. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves EveryBoard Plans.
Import ListNotations.

Lemma transfer_some : forall r c a b a' b', transfer r c a b a' b' ->
  exists y, 1 <= y /\ a = repeat c y ++ a' /\ b' = repeat c y ++ b.
Proof.
  induction 1 as [a b _|a b a' b' _ _ (y & Y & -> & ->)]; [now exists 1|]. exists (S y). repeat split; [lia|].
  simpl. change (c :: b) with (repeat c 1 ++ b). now rewrite app_assoc, <- repeat_app, Nat.add_1_r.
Qed.

Section NewColour.
  Variable r : rules.
  Variable c : colour.

  Definition alone (t : tube) : Prop := In c t -> forall d, In d t -> d = c.

  Definition blank (t : tube) : tube := if in_dec Nat.eq_dec c t then [] else t.

  Lemma blank_with : forall t, In c t -> blank t = [].
  Proof. intros t I. unfold blank. now destruct (in_dec Nat.eq_dec c t). Qed.

  Lemma blank_without : forall t, ~ In c t -> blank t = t.
  Proof. intros t I. unfold blank. now destruct (in_dec Nat.eq_dec c t). Qed.

  Lemma blank_goal : forall s, is_goal r s = true -> is_goal r (map blank s) = true.
  Proof.
    induction s as [|t s IH]; [reflexivity|]. simpl. rewrite !andb_true_iff. intros [F G]. split; [|now apply IH].
    unfold blank. now destruct (in_dec Nat.eq_dec c t).
  Qed.

  (** Where the new colour is poured, both tubes have it alone or are empty. *)
  Lemma new_poured : forall a b a' b', transfer r c a b a' b' -> fits c b -> alone a -> alone b ->
    (blank a = [] /\ blank b = [] /\ blank a' = [] /\ blank b' = []) /\ In c b' /\ alone a' /\ alone b'.
  Proof.
    intros a b a' b' T F A B. destruct (transfer_some _ _ _ _ _ _ T) as ([|y] & Y & -> & ->); [lia|].
    assert (A1 : forall d, In d a' -> d = c) by (intros d I; apply A; [now left|apply in_or_app; now right]).
    assert (B1 : forall d, In d b -> d = c).
    { destruct b as [|e b]; [contradiction|]. simpl in F. subst e. apply B. now left. }
    assert (E : forall t, (forall d, In d t -> d = c) -> blank t = []).
    { intros [|d t] H; [reflexivity|]. apply blank_with. left. apply H. now left. }
    assert (H : forall d, In d (repeat c (S y) ++ b) -> d = c).
    { intros d I. apply in_app_iff in I as [I|I]; [now apply repeat_spec in I|now apply B1]. }
    split; [|split; [now left|split; intros _; assumption]].
    repeat split; apply E; try assumption. intros d I.
    apply in_app_iff in I as [I|I]; [now apply repeat_spec in I|auto].
  Qed.

  Lemma other_poured : forall d a b a' b', d <> c -> transfer r d a b a' b' -> fits d b -> alone a -> alone b ->
    ~ In c a /\ ~ In c b /\ ~ In c a' /\ ~ In c b'.
  Proof.
    intros d a b a' b' N T F A B. destruct (transfer_some _ _ _ _ _ _ T) as ([|y] & Y & -> & ->); [lia|].
    assert (~ In c (repeat d (S y) ++ a')) by (intros I; apply N, (A I); now left).
    assert (~ In c b).
    { intros I. destruct b as [|e b]; [contradiction|]. simpl in F. subst e. apply N, (B I). now left. }
    repeat split; try assumption; intros I.
    - apply H. apply in_or_app. now right.
    - apply in_app_iff in I as [I|I]; [apply repeat_spec in I; congruence|contradiction].
  Qed.

  Lemma plan_without : forall s n, reaches r s n -> Forall alone s -> Exists (In c) s ->
    forall p, Permutation ([] :: p) (map blank s) -> solvable r p.
  Proof.
    induction 1 as [s G|s s' n (a & b & rest & a' & b' & P & M & Q) _ IH]; intros F E p B.
    - apply goal_solvable. change (is_goal r ([] :: p) = true). rewrite (goal_permuted r _ _ B). now apply blank_goal.
    - destruct (pour_transfers _ _ _ _ _ M) as (d & D & T & _). rewrite P in F, E, B. clear P.
      inversion_clear F as [|? ? A F']. inversion_clear F' as [|? ? A' R]. destruct (Nat.eq_dec d c) as [->|N].
      + destruct (new_poured _ _ _ _ T D A A') as ((B1 & B2 & B3 & B4) & I & ? & ?). apply IH.
        * rewrite Q. now repeat constructor.
        * rewrite Q. apply Exists_cons_tl. now apply Exists_cons_hd.
        * rewrite Q. simpl in *. now rewrite B3, B4, B, B1, B2.
      + destruct (other_poured _ _ _ _ _ N T D A A') as (B1 & B2 & B3 & B4).
        assert (I : In [] (map blank rest)).
        { inversion_clear E as [? ? I|? ? E']; [contradiction|]. inversion_clear E' as [? ? I|? ? I]; [contradiction|].
          apply Exists_exists in I as (t & I & J). apply in_map_iff. exists t.
          split; [now apply blank_with|assumption]. }
        apply in_split in I as (l1 & l2 & L). simpl in B. rewrite L, !blank_without in B by assumption.
        rewrite <- Permutation_middle, (perm_swap [] b), (perm_swap [] a) in B. apply Permutation_cons_inv in B.
        apply (permuted_solvable r _ _ (Permutation_sym B)). apply (pour_solvable r a b a' b'); [assumption|]. apply IH.
        * rewrite Q. repeat constructor; try assumption; intros J; contradiction.
        * rewrite Q. inversion_clear E as [? ? I|? ? E']; [contradiction|].
          inversion_clear E' as [? ? I|? ? I]; [contradiction|].
          now do 2 apply Exists_cons_tl.
        * rewrite Q. simpl. rewrite L, !blank_without by assumption.
          now rewrite <- Permutation_middle, (perm_swap [] b'), (perm_swap [] a').
  Qed.

  Lemma new_colour_useless : forall before after m, 1 <= m -> ~ In c (concat (before ++ after)) ->
    solvable r (before ++ repeat c m :: after) -> solvable r (before ++ after).
  Proof.
    intros before after [|m] L N H; [lia|]. destruct (solvable_reaches _ _ H) as (n & R).
    assert (other : forall t, In t (before ++ after) -> ~ In c t) by (intros t I J; apply N, in_concat; eauto).
    apply (plan_without _ _ R).
    - apply Forall_app. split; [|constructor]; try (apply Forall_forall; intros t I J; exfalso).
      1, 3: now apply (other t); [apply in_or_app; auto|].
      intros _ d I. now apply repeat_spec in I.
    - apply Exists_app. right. apply Exists_cons_hd. now left.
    - rewrite map_app. simpl map. rewrite (blank_with (c :: repeat c m)) by now left.
      rewrite <- Permutation_middle, <- map_app. apply perm_skip.
      rewrite (map_ext_in _ (fun t => t)), map_id; [reflexivity|]. intros t I. now apply blank_without, other.
  Qed.
End NewColour.
