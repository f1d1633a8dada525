(** The plain lower bound, which counts for positions without a label.

    Each move moves balls of one colour. For each colour there is a number that a move of this colour lowers by at most
    one, that no other move lowers, and that is 0 at goals. The bound is the sum of these numbers over all colours.

    - Ball sort: the balls of the colour less those that may stay where they are, at the bottom of as many tubes as the
      colour can have at the goal.
    - Water sort: the blocks of the colour less those that may stay at the bottom; or, if more, the tubes that the
      colour has yet to fill. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves.
Import ListNotations.

(** A colour, the number of its balls, and the most tubes that it may be in at the goal. *)
Record share := { hue : colour; balls : nat; homes : nat }.

Fixpoint run (c : colour) (t : tube) : nat :=
  match t with [] => 0 | d :: rest => if d =? c then S (run c rest) else 0 end.

(** The balls of colour [c] that lie on the bottom without another colour below. *)
Definition kept (c : colour) (t : tube) : nat := run c (rev t).

(** The blocks of colour [c]: each is counted at its last ball. *)
Fixpoint blocks (c : colour) (t : tube) : nat :=
  match t with
  | [] => 0
  | d :: rest => (if (d =? c) && negb (match rest with [] => false | e :: _ => e =? c end) then 1 else 0) + blocks c rest
  end.

(** 1 if the ball at the bottom has colour [c], else 0. *)
Fixpoint at_bottom (c : colour) (t : tube) : nat :=
  match t with
  | [] => 0
  | [d] => if d =? c then 1 else 0
  | _ :: rest => at_bottom c rest
  end.

Section Bound.
  Variable r : rules.

  (** 1 if the tube is full of colour [c], else 0. *)
  Definition filled (c : colour) (t : tube) : nat :=
    if (length t =? capacity r) && forallb (Nat.eqb c) t then 1 else 0.

  Definition sum_of (f : tube -> nat) (s : position) : nat := list_sum (map f s).

  Definition bound_of (s : position) (h : share) : nat :=
    let c := hue h in
    if water r
    then max (sum_of (blocks c) s - min (homes h) (sum_of (at_bottom c) s))
             (if full r then homes h - sum_of (filled c) s else 0)
    else balls h - best (homes h) (map (kept c) s).

  Definition bound (shares : list share) (s : position) : nat := list_sum (map (bound_of s) shares).

  Lemma sum_of_permuted : forall f s t, Permutation s t -> sum_of f s = sum_of f t.
  Proof. intros. now apply sum_permuted, Permutation_map. Qed.

  Lemma bound_permuted : forall shares s t, Permutation s t -> bound shares s = bound shares t.
  Proof.
    intros shares s t P. unfold bound. f_equal. apply map_ext. intros h. unfold bound_of.
    rewrite !(fun f => sum_of_permuted f s t P). now rewrite (best_permuted _ _ (Permutation_map (kept (hue h)) P)).
  Qed.

  (** ** One move of ball sort *)

  Lemma run_longer : forall c l d,
    run c l <= run c (l ++ [d]) <= S (run c l) /\ (d <> c -> run c (l ++ [d]) = run c l).
  Proof.
    intros c l d. induction l as [|e l IH]; simpl.
    - destruct (Nat.eqb_spec d c); lia.
    - destruct (e =? c); lia.
  Qed.

  Lemma kept_one_more : forall c d t,
    kept c t <= kept c (d :: t) <= S (kept c t) /\ (d <> c -> kept c (d :: t) = kept c t).
  Proof. intros c d t. apply (run_longer c (rev t) d). Qed.

  Lemma kept_moves : forall c d a b rest m,
    best m (map (kept c) (a :: (d :: b) :: rest)) <=
      (if d =? c then 1 else 0) + best m (map (kept c) ((d :: a) :: b :: rest)).
  Proof.
    intros c d a b rest m. simpl map. destruct (kept_one_more c d a) as [[A _] _].
    destruct (kept_one_more c d b) as [[_ B] B'].
    rewrite (best_permuted _ _ (perm_swap (kept c (d :: b)) (kept c a) _)).
    rewrite (best_permuted _ _ (perm_swap (kept c b) (kept c (d :: a)) _)).
    assert (R : Forall2 le (map (kept c) rest) (map (kept c) rest)).
    { generalize (map (kept c) rest). induction l; constructor; auto. }
    destruct (Nat.eqb_spec d c) as [E|N].
    - eapply Nat.le_trans; [|apply best_one_more]. apply best_monotone. now repeat apply Forall2_cons.
    - rewrite (B' N). apply best_monotone. now repeat apply Forall2_cons.
  Qed.

  (** ** One move of water sort *)

  Definition top (c : colour) (t : tube) : bool := match t with [] => false | d :: _ => d =? c end.

  Lemma blocks_one_more : forall c d t,
    blocks c (d :: t) = (if (d =? c) && negb (top c t) then 1 else 0) + blocks c t.
  Proof. reflexivity. Qed.

  Lemma bottom_one_more : forall c d t,
    at_bottom c (d :: t) = match t with [] => if d =? c then 1 else 0 | _ => at_bottom c t end.
  Proof. reflexivity. Qed.

  Lemma source_blocks : forall c d a b a' b', transfer r d a b a' b' ->
    (blocks c a = blocks c a' /\ at_bottom c a = at_bottom c a')
    \/ (c = d /\ blocks c a = S (blocks c a') /\ at_bottom c a' <= at_bottom c a).
  Proof.
    induction 1 as [a b _|a b a' b' _ T IH]; rewrite blocks_one_more, bottom_one_more.
    - destruct (Nat.eqb_spec d c) as [->|N]; simpl andb.
      + destruct (top c a) eqn:E; simpl negb; cbn iota.
        * left. destruct a; [discriminate|]. now split.
        * right. split; [reflexivity|]. split; [reflexivity|]. destruct a; simpl; lia.
      + left. destruct a; [now split|]. now split.
    - assert (exists a1, a = d :: a1) as [a1 ->] by (destruct T; eauto).
      replace ((d =? c) && negb (top c (d :: a1))) with false by (simpl; now destruct (d =? c)).
      exact IH.
  Qed.

  Lemma target_blocks : forall c d a b a' b', transfer r d a b a' b' -> fits d b ->
    (blocks c b' = blocks c b /\ at_bottom c b' = at_bottom c b)
    \/ (c = d /\ blocks c b' = S (blocks c b) /\ at_bottom c b' = S (at_bottom c b)).
  Proof.
    assert (one : forall c d b, fits d b ->
      (blocks c (d :: b) = blocks c b /\ at_bottom c (d :: b) = at_bottom c b)
      \/ (c = d /\ b = [] /\ blocks c (d :: b) = S (blocks c b) /\ at_bottom c (d :: b) = S (at_bottom c b))).
    { intros c d [|e b] F; rewrite blocks_one_more, bottom_one_more; simpl in F.
      - simpl. destruct (Nat.eqb_spec d c); simpl; auto.
      - subst e. left. simpl top. now destruct (d =? c). }
    induction 1 as [a b _|a b a' b' _ T IH]; intros F.
    - destruct (one c d b F) as [?|(? & ? & ? & ?)]; auto.
    - specialize (IH eq_refl). destruct (one c d b F) as [(E & E')|(-> & -> & E & E')].
      + rewrite E, E' in IH. exact IH.
      + destruct (one d d (d :: []) eq_refl) as [(K & K')|(_ & K & _)]; [|discriminate].
        right. destruct IH as [(-> & ->)|(_ & I & J)]; [auto|].
        exfalso. clear - T I. assert (forall x y, transfer r d x [d] y b' -> blocks d b' = 1) as H.
        { clear. intros x y. assert (G : forall b, fits d b -> b <> [] -> transfer r d x b y b' -> blocks d b' = blocks d b).
          { intros b F N T. induction T as [a b _|a b a' b' _ _ IH]; (destruct b as [|e b]; [contradiction|]);
              simpl in F; subst e.
            - rewrite blocks_one_more. simpl top. rewrite Nat.eqb_refl. reflexivity.
            - rewrite IH by (simpl; congruence). rewrite blocks_one_more. simpl top. rewrite Nat.eqb_refl. reflexivity. }
          intros T. rewrite (G [d]); [|reflexivity|discriminate|assumption]. simpl. now rewrite Nat.eqb_refl. }
        rewrite (H _ _ T) in I. simpl in I. rewrite Nat.eqb_refl in I. simpl in I. discriminate.
  Qed.

  Lemma filled_moves : forall c d a b a' b', transfer r d a b a' b' -> length a <= capacity r ->
    filled c a' = 0 /\ filled c b' <= (if d =? c then 1 else 0).
  Proof.
    intros c d a b a' b' T L. destruct (transfer_room _ _ _ _ _ _ T) as (A & _ & _). unfold filled. split.
    - destruct (Nat.eqb_spec (length a') (capacity r)); [lia|reflexivity].
    - assert (exists l, b' = d :: l) as [l ->] by (clear - T; induction T; eauto).
      cbn [forallb]. rewrite (Nat.eqb_sym c d). destruct (d =? c); cbn [andb].
      + destruct (_ && _); lia.
      + now rewrite andb_false_r.
  Qed.

  (** ** One move *)

  Lemma bound_of_moves : forall s s', step r s s' -> fitting r s -> exists d, forall h,
    bound_of s h <= (if d =? hue h then 1 else 0) + bound_of s' h.
  Proof.
    intros s s' (a & b & rest & a' & b' & P & E & Q) F. destruct (pour_transfers _ _ _ _ _ E) as (d & D & T & B).
    exists d. intros h. unfold bound_of. destruct (water r) eqn:W.
    - rewrite !(fun f => sum_of_permuted f _ _ P), !(fun f => sum_of_permuted f _ _ Q).
      unfold sum_of. simpl map. simpl list_sum.
      assert (L : length a <= capacity r) by (unfold fitting in F; rewrite P in F; now inversion F).
      destruct (filled_moves (hue h) _ _ _ _ _ T L) as [FA FB].
      destruct (source_blocks (hue h) _ _ _ _ _ T) as [(SB & SD)|(SE & SB & SD)];
        destruct (target_blocks (hue h) _ _ _ _ _ T D) as [(TB & TD)|(TE & TB & TD)];
        try subst d; rewrite ?Nat.eqb_refl in *; destruct (full r); try lia.
      all: destruct (d =? hue h); lia.
    - destruct (B eq_refl) as [-> ->].
      rewrite (best_permuted _ _ (Permutation_map (kept (hue h)) P)).
      rewrite (best_permuted _ _ (Permutation_map (kept (hue h)) Q)).
      assert (less : forall n x y e, y <= e + x -> n - x <= e + (n - y)) by lia.
      apply less, kept_moves.
  Qed.

  Lemma bound_moves : forall shares s s', NoDup (map hue shares) -> step r s s' -> fitting r s ->
    bound shares s <= S (bound shares s').
  Proof.
    intros shares s s' N S F. destruct (bound_of_moves s s' S F) as [d H].
    apply (one_at_most d) in N. rewrite map_map in N. unfold bound. eapply Nat.le_trans.
    - apply sum_monotone. intros h _. apply H.
    - rewrite (sum_both _ (fun h => if d =? hue h then 1 else 0)). lia.
  Qed.

  (** ** Goals *)

  (** What no move changes, and what makes the bound 0 at goals. *)
  Definition shared (s : position) (h : share) : Prop :=
    all_of (hue h) s = balls h /\ (if full r then balls h = homes h * capacity r else homes h = length s).

  Definition regular (shares : list share) (s : position) : Prop :=
    0 < capacity r /\ fitting r s /\ NoDup (map hue shares) /\ Forall (shared s) shares.

  Lemma regular_step : forall shares s s', step r s s' -> regular shares s -> regular shares s'.
  Proof.
    intros shares s s' S (C & F & N & H). split; [assumption|]. split; [eapply step_fits; eassumption|].
    split; [assumption|]. eapply Forall_impl; [|exact H]. intros h (A & B). unfold shared.
    now rewrite (step_counts _ _ _ _ S), (step_length _ _ _ S).
  Qed.

  Lemma regular_permuted : forall shares s t, Permutation s t -> regular shares s -> regular shares t.
  Proof.
    intros shares s t P (C & F & N & H). split; [assumption|]. split; [unfold fitting in *; now rewrite <- P|].
    split; [assumption|]. eapply Forall_impl; [|exact H]. intros h (A & B). unfold shared, all_of in *.
    now rewrite <- (sum_permuted _ _ (Permutation_map (count (hue h)) P)), <- (Permutation_length P).
  Qed.

  Lemma uniform : forall c t, forallb (Nat.eqb c) t = true -> t = repeat c (length t).
  Proof.
    induction t as [|d t IH]; simpl; [reflexivity|]. intros E. apply andb_true_iff in E as [E E'].
    apply Nat.eqb_eq in E. subst d. f_equal. auto.
  Qed.

  Lemma run_repeat : forall c n d, run c (repeat d n) = if d =? c then n else 0.
  Proof. induction n as [|n IH]; intros d; simpl; [now destruct (d =? c)|]. rewrite IH. now destruct (d =? c). Qed.

  Lemma repeat_last : forall (d : colour) n, repeat d n ++ [d] = d :: repeat d n.
  Proof. induction n as [|n IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

  Lemma rev_repeat : forall (d : colour) n, rev (repeat d n) = repeat d n.
  Proof. induction n as [|n IH]; simpl; [reflexivity|]. now rewrite IH, repeat_last. Qed.

  Lemma count_repeat : forall c d n, count c (repeat d n) = if d =? c then n else 0.
  Proof.
    induction n as [|n IH]; simpl repeat; [now destruct (d =? c)|]. rewrite count_one_more, IH. now destruct (d =? c).
  Qed.

  Lemma blocks_repeat : forall c d n, blocks c (repeat d (S n)) = if d =? c then 1 else 0.
  Proof.
    induction n as [|n IH]; [simpl; now destruct (d =? c)|].
    change (repeat d (S (S n))) with (d :: repeat d (S n)). rewrite blocks_one_more, IH. simpl. now destruct (d =? c).
  Qed.

  Lemma bottom_repeat : forall c d n, at_bottom c (repeat d (S n)) = if d =? c then 1 else 0.
  Proof.
    induction n as [|n IH]; [reflexivity|].
    change (repeat d (S (S n))) with (d :: repeat d (S n)). rewrite bottom_one_more. exact IH.
  Qed.

  Lemma finished_tube : forall c t, finished r t = true ->
    kept c t = count c t /\ blocks c t = at_bottom c t /\ at_bottom c t <= 1
    /\ (0 < capacity r -> full r = true -> count c t = at_bottom c t * capacity r /\ filled c t = at_bottom c t).
  Proof.
    intros c [|d t] E.
    - split; [reflexivity|]. split; [reflexivity|]. split; [simpl; lia|]. intros P _. split; [reflexivity|].
      unfold filled. simpl. destruct (capacity r); [lia|reflexivity].
    - unfold finished in E. apply andb_true_iff in E as [U F]. pose proof (uniform _ _ U) as R.
      simpl length in R. rewrite R. unfold kept.
      rewrite rev_repeat, run_repeat, count_repeat, blocks_repeat, bottom_repeat.
      split; [reflexivity|]. split; [reflexivity|]. split; [destruct (d =? c); lia|]. intros P G.
      rewrite G in F. apply Nat.eqb_eq in F. simpl length in F. unfold filled.
      rewrite repeat_length. unfold colour in *. rewrite F, Nat.eqb_refl.
      assert (V : forallb (Nat.eqb c) (repeat d (S (length t))) = (d =? c)).
      { destruct (Nat.eqb_spec d c) as [<-|N]; [now rewrite <- R|]. simpl. destruct (Nat.eqb_spec c d); [congruence|reflexivity]. }
      unfold colour in *. rewrite F in V. rewrite V. destruct (d =? c); simpl; split; lia.
  Qed.

  Lemma finished_sums : forall c s, is_goal r s = true ->
    map (kept c) s = map (count c) s /\ sum_of (blocks c) s = sum_of (at_bottom c) s
    /\ sum_of (at_bottom c) s <= length s
    /\ (0 < capacity r -> full r = true ->
        all_of c s = sum_of (at_bottom c) s * capacity r /\ sum_of (filled c) s = sum_of (at_bottom c) s).
  Proof.
    unfold sum_of, all_of. induction s as [|t s IH]; intros G; [simpl; auto with arith|].
    simpl in G. apply andb_true_iff in G as [F G]. destruct (IH G) as (A & B & C & D).
    destruct (finished_tube c t F) as (A' & B' & C' & D'). cbn [map length]. unfold list_sum in *. cbn [fold_right] in *.
    split; [congruence|]. split; [lia|]. split; [lia|]. intros P Q. destruct (D P Q), (D' P Q). split; lia.
  Qed.

  Lemma bound_goal : forall shares s, regular shares s -> is_goal r s = true -> bound shares s = 0.
  Proof.
    intros shares s (C & F & _ & H) G. unfold bound. induction H as [|h shares (A & B) _ IH]; [reflexivity|].
    cbn [map list_sum fold_right]. unfold list_sum in IH. rewrite IH. clear IH. rewrite Nat.add_0_r.
    destruct (finished_sums (hue h) s G) as (K & L & M & N). unfold bound_of. destruct (water r).
    - destruct (full r) eqn:E.
      + destruct (N C eq_refl) as [X Y]. assert (homes h = sum_of (at_bottom (hue h)) s) by nia. lia.
      + lia.
    - rewrite K. fold (all_of (hue h) s) in *. destruct (full r) eqn:E.
      + rewrite (best_equal (capacity r)).
        * unfold all_of in A. lia.
        * intros x I. apply in_map_iff in I as (t & <- & I). unfold is_goal in G. rewrite forallb_forall in G.
          destruct (finished_tube (hue h) t (G t I)) as (_ & _ & X & Y). destruct (Y C E) as [-> _].
          assert (at_bottom (hue h) t = 0 \/ at_bottom (hue h) t = 1) as [-> | ->] by lia; lia.
        * unfold all_of in A. lia.
      + rewrite best_all by (rewrite map_length; lia). unfold all_of in A. lia.
  Qed.

  (** ** The bound *)

  Theorem bound_admissible : forall shares s n, reaches r s n -> regular shares s -> bound shares s <= n.
  Proof.
    intros shares s n P. induction P as [s G | s s' n S _ IH]; intros R.
    - rewrite (bound_goal _ _ R G). reflexivity.
    - specialize (IH (regular_step _ _ _ S R)). destruct R as (_ & F & N & _).
      pose proof (bound_moves _ _ _ N S F). lia.
  Qed.
End Bound.
