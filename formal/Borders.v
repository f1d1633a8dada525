(** The check of the border argument, which shows that a board has no plan, and why it is right.

    A border is a place in a tube where the colour changes. The foot of a tube is what lies below its highest border,
    and one ball on top of it; a tube of one colour has none. No move adds to a foot. A move that takes the last ball
    above a border leaves the other tubes with all balls that are below no border: for those there must be room. The
    tables of feet that this allows are listed. If the list is closed and no table in it is without feet, no goal can be
    reached. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Bound Listing.
Import ListNotations.

Fixpoint foot (t : tube) : tube :=
  match t with
  | [] => []
  | c :: rest => match rest with [] => [] | d :: _ => if d =? c then foot rest else t end
  end.

Definition is_empty (t : tube) : bool := match t with [] => true | _ => false end.

Section Borders.
  Variable r : rules.

  (** Balls of colour [c] that lie above the border of a foot, at most. *)
  Definition room (c : colour) (f : tube) : nat :=
    match f with [] => 0 | d :: below => if d =? c then capacity r - length below else 0 end.

  (** Tubes of one colour that [n] balls of colour [c] need, if the tubes with these feet take what they can, and the
      tube with the foot [one] has lost all balls above its border. *)
  Definition needed (n : nat) (c : colour) (one : tube) (others : list tube) : nat :=
    let below := list_sum (map (fun f => count c (tl f)) (one :: others)) in
    let elsewhere := list_sum (map (room c) others) in
    Nat.div (n - below - elsewhere + (capacity r - 1)) (capacity r).

  Definition blocked (totals : list (colour * nat)) (one : tube) (others : list tube) : bool :=
    length (filter is_empty others)
      <? list_sum (map (fun total => needed (snd total) (fst total) one others) totals).

  Definition is_listed (tables : listing) (table : list tube) : bool :=
    match found (sorted compare_tubes table) tables with Some _ => true | None => false end.

  (** Each foot of a table with the others. *)
  Definition feet : list tube -> list (tube * list tube) :=
    picks compare_tubes (fun f => if is_empty f then None else Some f).

  (** Whether the tables are listed to which a step leads that isn't blocked. *)
  Definition closed (totals : list (colour * nat)) (tables : listing) (table : list tube) : bool :=
    negb (forallb is_empty table)
    && forallb (fun p => blocked totals (fst p) (snd p) || is_listed tables (foot (tl (fst p)) :: snd p)) (feet table).

  Definition totals_of (board : position) : list (colour * nat) :=
    map (fun c => (c, all_of c board)) (nodup Nat.eq_dec (concat board)).

  Definition check_borders (board : position) (tables : listing) : bool :=
    (0 <? capacity r)
    && forallb (fun t => length t <=? capacity r) board
    && is_listed tables (map foot board)
    && every (fun table _ => closed (totals_of board) tables table) tables.

  (** ** Feet *)

  Lemma foot_forms : forall t,
    (foot t = [] /\ exists c n, t = repeat c n)
    \/ (exists c n below, foot t = c :: below /\ t = repeat c n ++ c :: below).
  Proof.
    induction t as [|c [|d t] IH].
    - left. split; [reflexivity|]. now exists 0, 0.
    - left. split; [reflexivity|]. now exists c, 1.
    - cbn [foot]. destruct (Nat.eqb_spec d c) as [->|N].
      + change (match t with [] => [] | e :: _ => if e =? c then foot t else c :: t end) with (foot (c :: t)).
        destruct IH as [(E & e & n & R)|(e & n & below & E & R)].
        * left. split; [assumption|]. destruct n as [|n]; [discriminate|]. simpl in R. injection R as -> R.
          exists e, (S (S n)). simpl. now rewrite R.
        * right. exists e, (S n), below. split; [assumption|]. simpl. rewrite <- R. f_equal.
          destruct n; simpl in R; now injection R.
      + right. exists c, 0, (d :: t). now split.
  Qed.

  Lemma target_foot : forall c a b a' b', transfer r c a b a' b' -> fits c b -> foot b' = foot b.
  Proof.
    assert (one : forall c b, fits c b -> foot (c :: b) = foot b).
    { intros c [|d b] F; [reflexivity|]. simpl in F. subst d. simpl foot at 1. now rewrite Nat.eqb_refl. }
    induction 1 as [a b _|a b a' b' _ _ IH]; intros F; [now apply one|]. rewrite (IH eq_refl). now apply one.
  Qed.

  Lemma source_foot : forall c a b a' b', transfer r c a b a' b' -> foot a' = foot a \/ foot a = c :: a'.
  Proof.
    induction 1 as [a b _|a b a' b' _ T IH].
    - destruct a as [|d a]; [now left|]. simpl foot at 2 3. destruct (d =? c); auto.
    - assert (exists a1, a = c :: a1) as [a1 ->] by (destruct T; eauto).
      simpl foot at 2 3. rewrite Nat.eqb_refl. exact IH.
  Qed.

  (** ** Room *)

  (** 1 if the tube has no border and holds the colour, else 0. *)
  Definition pure (c : colour) (t : tube) : nat :=
    match foot t, t with [], d :: _ => if d =? c then 1 else 0 | _, _ => 0 end.

  Lemma count_joined : forall c l l', count c (l ++ l') = count c l + count c l'.
  Proof. intros c l l'. unfold count. now rewrite map_app, list_sum_app. Qed.

  Lemma tube_room : forall c t, length t <= capacity r ->
    count c t <= count c (tl (foot t)) + room c (foot t) + pure c t * capacity r.
  Proof.
    intros c t L. unfold pure. destruct (foot_forms t) as [(-> & d & n & ->)|(d & n & below & -> & ->)].
    - rewrite repeat_length in L. rewrite count_repeat. destruct n as [|n]; simpl; [destruct (d =? c); lia|].
      destruct (d =? c); lia.
    - rewrite app_length, repeat_length in L. simpl in L. rewrite count_joined, count_repeat, count_one_more. simpl.
      destruct (d =? c); lia.
  Qed.

  Lemma rooms : forall c s, fitting r s ->
    all_of c s <= list_sum (map (fun f => count c (tl f)) (map foot s)) + list_sum (map (room c) (map foot s))
      + list_sum (map (pure c) s) * capacity r.
  Proof.
    intros c s F. unfold all_of. induction F as [|t s L _ IH]; [simpl; lia|].
    pose proof (tube_room c t L). unfold list_sum in *. cbn [map fold_right] in *. lia.
  Qed.

  Lemma pure_colours : forall cs s, NoDup cs ->
    list_sum (map (fun c => list_sum (map (pure c) s)) cs) <= length (filter is_empty (map foot s)).
  Proof.
    intros cs s N. induction s as [|t s IH].
    - induction cs as [|c cs IH']; simpl; [lia|]. apply IH'. now inversion N.
    - change (fun c => list_sum (map (pure c) (t :: s))) with (fun c => pure c t + list_sum (map (pure c) s)).
      rewrite sum_both. enough (list_sum (map (fun c => pure c t) cs) <= if is_empty (foot t) then 1 else 0).
      { cbn [map filter]. destruct (is_empty (foot t)); simpl length; lia. }
      clear IH. unfold pure. destruct (foot t); [|induction cs; simpl; auto; inversion N; auto].
      simpl. destruct t as [|d t]; [induction cs; simpl; auto; inversion N; auto|].
      now apply one_at_most.
  Qed.

  Definition counted (totals : list (colour * nat)) (s : position) : Prop :=
    NoDup (map fst totals) /\ forall c n, In (c, n) totals -> all_of c s = n.

  (** The step of a plan is not blocked: [a'] is what is left of a tube whose foot was [c :: a']. *)
  Lemma not_blocked : forall totals c a' s, 0 < capacity r -> fitting r s -> counted totals (a' :: s) ->
    blocked totals (c :: a') (map foot s) = false.
  Proof.
    intros totals c a' s C F (N & T). unfold blocked. apply Nat.ltb_ge.
    eapply Nat.le_trans; [|apply (pure_colours (map fst totals) s N)]. rewrite map_map. apply sum_monotone.
    intros (d, n) I. simpl. unfold needed. specialize (T d n I). pose proof (rooms d s F) as R.
    unfold all_of in T, R. cbn [map] in *. unfold list_sum in *. cbn [fold_right tl] in *.
    apply Nat.lt_succ_r, Nat.div_lt_upper_bound; [lia|]. nia.
  Qed.

  (** ** Plans *)

  Lemma blocked_permuted : forall totals one others others', Permutation others others' ->
    blocked totals one others = blocked totals one others'.
  Proof.
    intros totals one others others' P. unfold blocked.
    assert (L : length (filter is_empty others) = length (filter is_empty others')).
    { induction P; simpl; auto; try (destruct (is_empty x)); try (destruct (is_empty y)); simpl; congruence. }
    rewrite L. do 2 f_equal. apply map_ext. intros (c, n). unfold needed. simpl.
    now rewrite (sum_permuted _ _ (Permutation_map (room c) P)),
      (sum_permuted _ _ (Permutation_map (fun f => count c (tl f)) P)).
  Qed.

  Lemma listed_permuted : forall tables t t', Permutation t t' -> is_listed tables t = is_listed tables t'.
  Proof. intros tables t t' P. unfold is_listed. now rewrite (sorted_equal _ tubes_ordered _ _ P). Qed.

  Lemma foot_repeat : forall c n, foot (repeat c n) = [].
  Proof.
    intros c n. destruct n as [|n]; [reflexivity|]. induction n as [|n IH]; [reflexivity|].
    change (foot (repeat c (S (S n)))) with (if c =? c then foot (repeat c (S n)) else repeat c (S (S n))).
    now rewrite Nat.eqb_refl.
  Qed.

  Lemma goal_feet : forall s, is_goal r s = true -> forallb is_empty (map foot s) = true.
  Proof.
    induction s as [|t s IH]; [reflexivity|]. simpl. intros G. apply andb_true_iff in G as [F G].
    rewrite (IH G), andb_true_r.
    destruct t as [|c t]; [reflexivity|]. unfold finished in F. apply andb_true_iff in F as [F _].
    rewrite (uniform c _ F), foot_repeat. reflexivity.
  Qed.

  Lemma permuted_empty : forall (t t' : list tube), Permutation t t' -> forallb is_empty t = forallb is_empty t'.
  Proof. induction 1; simpl; try congruence. now rewrite !andb_assoc, (andb_comm (is_empty y)). Qed.

  (** A row of steps between tables that aren't blocked, to one without feet. *)
  Inductive path (totals : list (colour * nat)) : list tube -> Prop :=
  | No_border : forall t, forallb is_empty t = true -> path totals t
  | Border_gone : forall t c below others, Permutation t ((c :: below) :: others) ->
      blocked totals (c :: below) others = false -> path totals (foot below :: others) -> path totals t.

  Lemma path_permuted : forall totals t t', Permutation t t' -> path totals t -> path totals t'.
  Proof.
    intros totals t t' P H. destruct H as [t E|t c below others Q B H].
    - apply No_border. now rewrite <- (permuted_empty _ _ P).
    - eapply Border_gone; [rewrite <- P; exact Q|assumption|assumption].
  Qed.

  Lemma plan_path : forall totals, 0 < capacity r -> forall s n, reaches r s n -> fitting r s -> counted totals s ->
    path totals (map foot s).
  Proof.
    intros totals C s n R. induction R as [s G|s s' n S R IH]; intros F T; [now apply No_border, goal_feet|].
    assert (F' : fitting r s') by (eapply step_fits; eassumption).
    assert (T' : counted totals s').
    { destruct T as [N T]. split; [assumption|]. intros c m J. rewrite (step_counts _ _ _ _ S). now apply T. }
    specialize (IH F' T'). destruct S as (a & b & rest & a' & b' & A & M & B).
    destruct (pour_transfers _ _ _ _ _ M) as (c & D & X & _). pose proof (target_foot _ _ _ _ _ X D) as FB.
    apply (path_permuted totals (map foot (a :: b :: rest))); [now rewrite A|].
    apply (path_permuted totals _ (map foot (a' :: b' :: rest))) in IH; [|now rewrite B].
    simpl in *. rewrite FB in IH. destruct (source_foot _ _ _ _ _ X) as [FA|FA]; rewrite FA in *; [assumption|].
    apply (Border_gone totals _ c a' (foot b :: map foot rest)); [reflexivity| |assumption]. rewrite <- FB.
    apply (not_blocked totals c a' (b' :: rest)); [assumption| |].
    - unfold fitting in *. rewrite B in F'. now inversion F'.
    - destruct T' as [N T']. split; [assumption|]. intros d m J. rewrite <- (T' d m J).
      apply sum_permuted, Permutation_map. now symmetry.
  Qed.

  (** There is no plan if some property of tables holds at the start and for what follows from a table with it by a step
      that isn't blocked, but for no table without feet. *)
  Lemma no_plan : forall totals (known : list tube -> Prop),
    (forall t t', Permutation t t' -> known t -> known t') ->
    (forall t, known t -> forallb is_empty t = false) ->
    (forall c below others, known ((c :: below) :: others) -> blocked totals (c :: below) others = false ->
      known (foot below :: others)) ->
    0 < capacity r -> forall s n, reaches r s n -> fitting r s -> counted totals s -> ~ known (map foot s).
  Proof.
    intros totals known P E K C s n R F T. pose proof (plan_path totals C s n R F T) as H. clear - P E K H.
    induction H as [t G|t c below others Q B _ IH]; intros I; [now rewrite (E t I) in G|].
    apply IH, (K c); [|assumption]. now apply (P t).
  Qed.

  Lemma listed_closed : forall totals tables, every (fun table _ => closed totals tables table) tables = true ->
    forall t, is_listed tables t = true -> closed totals tables (sorted compare_tubes t) = true.
  Proof.
    intros totals tables E t L. unfold is_listed in L.
    destruct (found (sorted compare_tubes t) tables) eqn:F; [|discriminate].
    exact (every_found _ _ _ _ E F).
  Qed.

  Lemma totals_counted : forall board, counted (totals_of board) board.
  Proof.
    intros board. unfold totals_of. split.
    - rewrite map_map. simpl. rewrite map_id. apply NoDup_nodup.
    - intros c n I. apply in_map_iff in I as (d & E & _). now injection E as <- <-.
  Qed.

  Theorem check_borders_right : forall board tables, check_borders board tables = true -> holds r board Unsolvable.
  Proof.
    intros board tables H plan P. unfold check_borders in H. apply andb_true_iff in H as [H E].
    apply andb_true_iff in H as [H L]. apply andb_true_iff in H as [C F].
    revert L. apply (no_plan (totals_of board) (fun t => is_listed tables t = true)) with (n := length plan).
    - intros t t' Q. now rewrite (listed_permuted _ _ _ Q).
    - intros t L. pose proof (listed_closed _ _ E _ L) as K. apply andb_true_iff in K as [K _].
      rewrite (permuted_empty _ _ (sorted_permuted compare_tubes t)) in K. now apply negb_true_iff.
    - intros c below others L B. pose proof (listed_closed _ _ E _ L) as K. apply andb_true_iff in K as [_ K].
      destruct (picks_all _ tubes_ordered (fun f => if is_empty f then None else Some f) _ (c :: below) (c :: below)
        others (sorted_permuted compare_tubes _) eq_refl) as (others' & I & Q).
      rewrite forallb_forall in K. specialize (K _ I). cbn [fst snd tl] in K.
      rewrite (blocked_permuted _ _ _ _ Q), B in K. simpl in K.
      now rewrite (listed_permuted tables _ (foot below :: others')) by now rewrite Q.
    - now apply Nat.ltb_lt.
    - now apply solves_reaches.
    - rewrite forallb_forall in F. apply Forall_forall. intros t I. now apply Nat.leb_le, F.
    - apply totals_counted.
  Qed.
End Borders.
