(** With [n] colours, [n] - 1 empty tubes and a capacity of [n ^ n] or more some board can't be solved.

    In this board each tube has, from the top, blocks of 1, [n], [n ^ 2], …, [n ^ (n - 1)] balls of the colours 0, 1, …,
    [n] - 1, then a ball of colour 0, and then what is left. No plan gets below the block of colour [n] - 1 in any tube.
    For at the moment when it first did, each colour would have more balls above borders than fit on these, and so need
    an empty tube of its own; but there are only [n] - 1 of them ([Borders.no_plan]). *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Bound Borders EveryBoard Plans Counts.
Import ListNotations.

(** ** A list cut into pieces of equal length *)

Fixpoint cut (pieces length : nat) (l : tube) : list tube :=
  match pieces with 0 => [] | S less => firstn length l :: cut less length (skipn length l) end.

Lemma cut_length : forall m w l, length (cut m w l) = m.
Proof. induction m as [|m IH]; intros w l; simpl; auto. Qed.

Lemma cut_pieces : forall m w l, length l = m * w ->
  Forall (fun t => length t = w) (cut m w l) /\ concat (cut m w l) = l.
Proof.
  induction m as [|m IH]; intros w l E; simpl in *; [now destruct l|].
  destruct (IH w (skipn w l)) as [F C]; [rewrite skipn_length; lia|]. split.
  - constructor; [|assumption]. rewrite firstn_length. lia.
  - now rewrite C, firstn_skipn.
Qed.

Section TallBoards.
  Variable r : rules.
  Variable n : nat.
  Let h := capacity r.
  Hypothesis several : 2 <= n.
  Hypothesis tall : n ^ n <= h.

  (** The first [l] blocks of a tube have [size l] balls. *)
  Fixpoint size (l : nat) : nat := match l with 0 => 0 | S less => size less + n ^ less end.

  Lemma size_is : forall l, (n - 1) * size l + 1 = n ^ l.
  Proof. induction l as [|l IH]; [simpl; lia|]. simpl size. rewrite Nat.pow_succ_r'. nia. Qed.

  (** [m] blocks from number [l] on, and the ball below them. *)
  Fixpoint stack (l : colour) (m : nat) : tube :=
    match m with 0 => [0] | S less => repeat l (n ^ l) ++ stack (S l) less end.

  Lemma some_balls : forall l, exists x, n ^ l = S x.
  Proof. intros l. exists (n ^ l - 1). pose proof (Nat.pow_nonzero n l). lia. Qed.

  Lemma stack_length : forall m l, length (stack l m) + size l = size (l + m) + 1.
  Proof.
    induction m as [|m IH]; intros l; cbn [stack]; [rewrite Nat.add_0_r; simpl; lia|].
    rewrite app_length, repeat_length. specialize (IH (S l)). replace (l + S m) with (S l + m) by lia. simpl in *. lia.
  Qed.

  Lemma stack_counts : forall c m l,
    count c (stack l m) = (if (l <=? c) && (c <? l + m) then n ^ c else 0) + (if 0 =? c then 1 else 0).
  Proof.
    intros c. induction m as [|m IH]; intros l.
    - simpl. destruct (Nat.leb_spec l c), (Nat.ltb_spec c (l + 0)); try lia; now destruct c.
    - cbn [stack]. rewrite count_joined, count_repeat, IH, Nat.add_assoc. f_equal.
      destruct (Nat.eqb_spec l c), (Nat.leb_spec l c), (Nat.leb_spec (S l) c), (Nat.ltb_spec c (S l + m)),
        (Nat.ltb_spec c (l + S m)); try subst l; simpl; lia.
  Qed.

  (** ** The board *)

  Definition upper : tube := stack 0 n.

  (** What is left of the colours below [m]. *)
  Fixpoint left_over (m : colour) : tube :=
    match m with 0 => [] | S c => left_over c ++ repeat c (h - n * count c upper) end.

  Definition lower : list tube := cut n (h - length upper) (left_over n).

  Definition tall_tubes : list tube := map (app upper) lower.

  Lemma upper_fits : length upper <= h.
  Proof.
    pose proof (stack_length n 0). pose proof (size_is n). simpl in *. unfold upper. pose proof tall.
    assert (size n <= (n - 1) * size n) by nia. lia.
  Qed.

  Lemma upper_counts : forall c, c < n -> n * count c upper <= h.
  Proof.
    intros c L. unfold upper. rewrite stack_counts. simpl. pose proof tall.
    destruct (Nat.ltb_spec c n); [|lia]. destruct c as [|c].
    - simpl. assert (n ^ 2 <= n ^ n) by (apply Nat.pow_le_mono_r; lia). simpl in *. nia.
    - assert (n ^ S (S c) <= n ^ n) by (apply Nat.pow_le_mono_r; lia). rewrite Nat.pow_succ_r' in *. simpl in *. lia.
  Qed.

  Lemma left_over_counts : forall c m, count c (left_over m) = if c <? m then h - n * count c upper else 0.
  Proof.
    intros c. induction m as [|m IH]; [reflexivity|]. cbn [left_over]. rewrite count_joined, IH, count_repeat.
    destruct (Nat.ltb_spec c m), (Nat.ltb_spec c (S m)), (Nat.eqb_spec m c); subst; lia.
  Qed.

  Lemma left_over_length : length (left_over n) = n * (h - length upper).
  Proof.
    enough (H : forall m, m <= n -> length (left_over m) + n * (size m + if m =? 0 then 0 else 1) = m * h).
    { specialize (H n (le_n n)). pose proof (stack_length n 0) as L. fold upper in L. simpl (0 + n) in L.
      destruct (Nat.eqb_spec n 0); [lia|]. simpl in L. rewrite Nat.mul_sub_distr_l.
      replace (length upper) with (size n + 1) by lia. lia. }
    induction m as [|m IH]; intros L; [simpl; lia|]. specialize (IH ltac:(lia)).
    cbn [left_over size]. rewrite app_length, repeat_length.
    pose proof (upper_counts m L) as U. unfold upper in *. rewrite stack_counts in *. simpl (0 <=? m) in *.
    simpl (0 + n) in *. destruct (Nat.ltb_spec m n); [|lia]. simpl (true && true) in *. cbn iota in *.
    destruct m; simpl (0 =? _) in *; simpl (_ =? 0) in *; cbn iota in *; lia.
  Qed.

  Lemma lower_length : length lower = n.
  Proof. apply cut_length. Qed.

  Lemma lower_full : Forall (fun t => length upper + length t = h) lower.
  Proof.
    destruct (cut_pieces n (h - length upper) (left_over n) left_over_length) as [F _].
    eapply Forall_impl; [|exact F]. simpl. intros t E. pose proof upper_fits. lia.
  Qed.

  Lemma tall_full : forall t, In t tall_tubes -> length t = h.
  Proof.
    intros t I. apply in_map_iff in I as (b & <- & I). pose proof lower_full as F. rewrite Forall_forall in F.
    rewrite app_length. now apply F.
  Qed.

  Lemma tall_counts : forall c, c < n -> all_of c tall_tubes = h.
  Proof.
    intros c L. enough (H : forall ts, all_of c (map (app upper) ts) = length ts * count c upper + count c (concat ts)).
    { unfold tall_tubes, lower. rewrite H, cut_length. pose proof (upper_counts c L).
      destruct (cut_pieces n (h - length upper) (left_over n) left_over_length) as [_ ->].
      rewrite left_over_counts. destruct (Nat.ltb_spec c n); lia. }
    unfold all_of. induction ts as [|t ts IH]; [reflexivity|]. simpl. rewrite !count_joined, IH. lia.
  Qed.

  Lemma tall_in_class : in_class r n (n - 1) (tall_tubes ++ repeat [] (n - 1)).
  Proof.
    exists tall_tubes. split; [reflexivity|]. split; [|split].
    - unfold tall_tubes. rewrite map_length. exact lower_length.
    - exact tall_full.
    - intros c L. rewrite <- all_of_is_count_occ. now apply tall_counts.
  Qed.

  (** ** Its feet *)

  (** A tube that is dug down to the border below block [fst p]; [snd p] is what it has below [upper]. *)
  Definition foot_at (p : nat * tube) : tube := fst p :: stack (S (fst p)) (n - S (fst p)) ++ snd p.

  Lemma foot_run : forall c d x below, d <> c -> foot (repeat c (S x) ++ d :: below) = c :: d :: below.
  Proof.
    intros c d x below N. induction x as [|x IH].
    - simpl. now destruct (Nat.eqb_spec d c).
    - change (repeat c (S (S x)) ++ d :: below) with (c :: repeat c (S x) ++ d :: below). rewrite <- IH. simpl.
      now rewrite Nat.eqb_refl.
  Qed.

  Lemma foot_stack : forall l rest, l < n -> foot (stack l (n - l) ++ rest) = foot_at (l, rest).
  Proof.
    intros l rest L. unfold foot_at. simpl fst. simpl snd. replace (n - l) with (S (n - S l)) by lia. cbn [stack].
    destruct (some_balls l) as [x ->]. rewrite <- app_assoc.
    destruct (n - S l) as [|m] eqn:E; cbn [stack].
    - simpl ([0] ++ rest). apply foot_run. lia.
    - destruct (some_balls (S l)) as [y ->]. rewrite <- app_assoc. simpl (repeat (S l) (S y) ++ _). apply foot_run. lia.
  Qed.

  Definition balls_of (c : colour) (tubes : list (nat * tube)) : nat :=
    list_sum (map (fun p => count c (upper ++ snd p)) tubes).

  Definition dug (tubes : list (nat * tube)) : Prop :=
    length tubes = n
    /\ (forall c, c < n -> balls_of c tubes = h)
    /\ Forall (fun p => fst p < n /\ length upper + length (snd p) = h) tubes.

  Definition known (table : list tube) : Prop :=
    exists tubes, Permutation table (map foot_at tubes ++ repeat [] (n - 1)) /\ dug tubes.

  Lemma dug_permuted : forall t t', Permutation t t' -> dug t -> dug t'.
  Proof.
    intros t t' P (L & C & F). split; [now rewrite <- (Permutation_length P)|]. split; [|now rewrite <- P].
    intros c H. rewrite <- (C c H). now apply sum_permuted, Permutation_map.
  Qed.

  (** ** No room *)

  Lemma below_counts : forall c l, l < n ->
    count c (stack (S l) (n - S l)) + (if (c <=? l) && (c <? n) then n ^ c else 0) = count c upper.
  Proof.
    intros c l L. unfold upper. rewrite !stack_counts. simpl (0 <=? c). simpl (0 + n).
    replace (S l + (n - S l)) with n by lia.
    destruct (Nat.leb_spec (S l) c), (Nat.leb_spec c l), (Nat.ltb_spec c n); simpl; lia.
  Qed.

  (** Compared with the start, a tube gains room for at most [size c] balls of colour [c]. *)
  Lemma gain : forall c p, c < n -> fst p < n -> length upper + length (snd p) = h ->
    count c (tl (foot_at p)) + room r c (foot_at p) <= count c (upper ++ snd p) + size c.
  Proof.
    intros c (l, rest) C L E. unfold foot_at, room. simpl in *. fold h. rewrite !count_joined, app_length.
    pose proof (below_counts c l L) as B. pose proof (stack_length (n - S l) (S l)) as S1.
    pose proof (stack_length n 0) as S2. fold upper in S2. replace (S l + (n - S l)) with n in S1 by lia.
    simpl in S1, S2.
    destruct (Nat.eqb_spec l c) as [->|]; [|lia].
    rewrite Nat.leb_refl in B. destruct (Nat.ltb_spec c n); [simpl in B|]; lia.
  Qed.

  Lemma gains : forall c (tubes : list (nat * tube)), c < n ->
    Forall (fun p => fst p < n /\ length upper + length (snd p) = h) tubes ->
    list_sum (map (fun f => count c (tl f)) (map foot_at tubes)) + list_sum (map (room r c) (map foot_at tubes))
      <= balls_of c tubes + length tubes * size c.
  Proof.
    intros c tubes C. unfold balls_of. induction 1 as [|p tubes [L E] _ IH]; [reflexivity|].
    pose proof (gain c p C L E). cbn [map length]. rewrite !sum_more. lia.
  Qed.

  Definition totals : list (colour * nat) := map (fun c => (c, h)) (seq 0 n).

  Lemma sum_of_ones : forall A (f : A -> nat) l, (forall x, In x l -> 1 <= f x) -> length l <= list_sum (map f l).
  Proof.
    intros A f l H. induction l as [|x l IH]; [reflexivity|]. cbn [map length]. rewrite sum_more.
    pose proof (H x (or_introl eq_refl)). enough (length l <= list_sum (map f l)) by lia. apply IH. intros. apply H.
    now right.
  Qed.

  Lemma last_border_blocked : forall rest tubes, dug ((n - 1, rest) :: tubes) ->
    blocked r totals (foot_at (n - 1, rest)) (map foot_at tubes ++ repeat [] (n - 1)) = true.
  Proof.
    intros rest tubes (L & C & F). inversion_clear F as [|? ? [_ E] F']. simpl in L, E. unfold blocked.
    apply Nat.ltb_lt.
    assert (open : length (filter is_empty (map foot_at tubes ++ repeat [] (n - 1))) = n - 1).
    { rewrite filter_app, app_length.
      replace (filter is_empty (map foot_at tubes)) with (@nil tube) by (clear; induction tubes; auto).
      clear. induction (n - 1); simpl; auto. }
    rewrite open. enough (n <= list_sum (map (fun total => needed r (snd total) (fst total) (foot_at (n - 1, rest))
      (map foot_at tubes ++ repeat [] (n - 1))) totals)) by lia.
    eapply Nat.le_trans; [|apply sum_of_ones].
    - unfold totals. now rewrite map_length, seq_length.
    - intros (c, total) I. unfold totals in I. apply in_map_iff in I as (c' & I' & I). injection I' as -> <-.
      apply in_seq in I as [_ I]. simpl in I. cbn [fst snd]. unfold needed. fold h. apply Nat.div_str_pos.
      assert (none : forall f k, f [] = 0 -> list_sum (map f (repeat (@nil colour) k)) = 0).
      { intros f k Z. induction k; [reflexivity|]. simpl. rewrite Z. assumption. }
      cbn [map]. rewrite sum_more, !map_app, !list_sum_app, !none by reflexivity.
      pose proof (gains c tubes I F') as G. specialize (C c I). unfold balls_of in C, G. simpl in C.
      pose proof (below_counts c (n - 1) ltac:(lia)) as B. pose proof (size_is c).
      destruct (Nat.leb_spec c (n - 1)); [|lia]. destruct (Nat.ltb_spec c n); [|lia]. simpl in B.
      rewrite count_joined in C.
      change (tl (foot_at (n - 1, rest))) with (stack (S (n - 1)) (n - S (n - 1)) ++ rest). rewrite count_joined.
      replace (length tubes) with (n - 1) in G by lia. unfold tube, colour in *. lia.
  Qed.

  (** ** No plan *)

  Lemma known_next : forall c below others, known ((c :: below) :: others) ->
    blocked r totals (c :: below) others = false -> known (foot below :: others).
  Proof.
    intros c below others (tubes & P & D) B.
    assert (I : In (c :: below) (map foot_at tubes ++ repeat [] (n - 1))) by (rewrite <- P; now left).
    apply in_app_iff in I as [I|I]; [|now apply repeat_spec in I].
    apply in_map_iff in I as (p & E & I). apply in_split in I as (t1 & t2 & ->).
    assert (Q : Permutation (t1 ++ p :: t2) (p :: t1 ++ t2)) by (symmetry; apply Permutation_middle).
    rewrite Q in P. apply (dug_permuted _ _ Q) in D. clear Q. simpl in P. rewrite E in P.
    apply Permutation_cons_inv in P. destruct p as (l, rest). pose proof D as (N & C & F).
    inversion_clear F as [|? ? [L H] F']. simpl in L, H. destruct (Nat.eq_dec l (n - 1)) as [->|L'].
    - rewrite <- E, (blocked_permuted r _ _ _ _ P), last_border_blocked in B; [discriminate|assumption].
    - exists ((S l, rest) :: t1 ++ t2). split.
      + simpl. rewrite P. injection E as <- <-. simpl. rewrite foot_stack by lia. reflexivity.
      + split; [assumption|]. split; [assumption|]. constructor; [|assumption]. simpl. lia.
  Qed.

  Theorem tall_board : ~ solvable r (tall_tubes ++ repeat [] (n - 1)).
  Proof.
    intros (plan & S). apply solves_reaches in S. revert S.
    assert (0 < h) by (pose proof (Nat.pow_nonzero n n); lia).
    intros S. refine (no_plan r totals known _ _ known_next _ _ _ S _ _ _).
    - intros t t' P (ts & Q & D). exists ts. now rewrite <- P.
    - intros t (ts & P & L & _). rewrite (permuted_empty _ _ P). destruct ts; [simpl in L; lia|reflexivity].
    - assumption.
    - apply Forall_app. split; apply Forall_forall; intros t I; [now rewrite (tall_full t I)|].
      apply repeat_spec in I. subst t. simpl. lia.
    - split.
      + unfold totals. rewrite map_map, map_id. apply seq_NoDup.
      + intros c m I. unfold totals in I. apply in_map_iff in I as (d & E & I). injection E as <- <-.
        apply in_seq in I as [_ I]. rewrite all_of_joined, all_of_empty, (tall_counts d I). lia.
    - exists (map (pair 0) lower). split.
      + rewrite map_app. apply Permutation_app.
        * unfold tall_tubes. rewrite !map_map.
          erewrite map_ext; [reflexivity|]. intros t. unfold upper. rewrite <- (Nat.sub_0_r n) at 1. apply foot_stack.
          lia.
        * clear. induction (n - 1); simpl; auto.
      + split; [rewrite map_length; exact lower_length|]. split.
        * intros c L. unfold balls_of. rewrite map_map. simpl.
          transitivity (all_of c tall_tubes); [|now apply tall_counts].
          unfold all_of, tall_tubes. now rewrite map_map.
        * apply Forall_map. eapply Forall_impl; [|exact lower_full]. simpl. intros t E. lia.
  Qed.
End TallBoards.
