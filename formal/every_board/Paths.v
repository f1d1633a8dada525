(** A path through border tables is a plan.

    Take a step of the path: the balls above the highest border of tube [b], a run of colour [c], are to leave it. Pour
    them away as soon as the tubes that take [c] have room. If they haven't, look for a tube of one other colour whose
    balls fit on top of the same colour elsewhere, and empty it: then there is room for more. If there is no such tube,
    each colour has as few tubes for itself as it needs, and the step is blocked ([Borders.blocked]). When no border is
    left, tubes are emptied in the same way until each is full or empty. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Bound Borders EveryBoard Plans Counts Pouring.
Import ListNotations.

Lemma filtered : forall A (f : A -> bool) l, Permutation l (filter f l ++ filter (fun x => negb (f x)) l).
Proof.
  intros A f. induction l as [|x l IH]; [reflexivity|]. simpl. destruct (f x); simpl.
  - now apply perm_skip.
  - rewrite <- Permutation_middle. now apply perm_skip.
Qed.

Lemma foot_below : forall t c below, foot t = c :: below ->
  hd_error below <> Some c /\ exists n, t = repeat c (S n) ++ below.
Proof.
  intros t c below. revert c. induction t as [|d [|e t] IH]; intros c E; try discriminate. cbn [foot] in E.
  destruct (Nat.eqb_spec e d) as [->|N].
  - change (foot (d :: t) = c :: below) in E. destruct (IH c E) as [H (n & R)]. split; [assumption|].
    assert (d = c) as -> by (simpl in R; congruence). exists (S n). simpl in *. congruence.
  - injection E as <- <-. split; [simpl; congruence|]. now exists 0.
Qed.

Section Paths.
  Variable r : rules.
  Notation h := (capacity r).

  Definition takes_colour (c : colour) (t : tube) : bool := match t with [] => true | d :: _ => d =? c end.

  (** The room on top of balls of a colour. *)
  Definition room_on (c : colour) (s : position) : nat := room_in r (filter (top c) s).

  (** 1 for a tube of one colour that isn't empty. *)
  Definition holds_one (t : tube) : nat := if is_empty (foot t) && negb (is_empty t) then 1 else 0.
  Definition holders (s : position) : nat := list_sum (map holds_one s).

  Lemma room_in_more : forall t s, room_in r (t :: s) = h - length t + room_in r s.
  Proof. reflexivity. Qed.

  Lemma room_in_permuted : forall s s', Permutation s s' -> room_in r s = room_in r s'.
  Proof. intros s s' P. now apply sum_permuted, Permutation_map. Qed.

  Lemma room_on_more : forall c t s, room_on c (t :: s) = (if top c t then h - length t else 0) + room_on c s.
  Proof. intros c t s. unfold room_on. simpl. now destruct (top c t). Qed.

  Lemma filter_permuted : forall A (f : A -> bool) s s', Permutation s s' -> Permutation (filter f s) (filter f s').
  Proof.
    intros A f s s' P. induction P; simpl; try destruct (f x); try destruct (f y); eauto using Permutation; constructor.
  Qed.

  Lemma room_on_permuted : forall c s s', Permutation s s' -> room_on c s = room_on c s'.
  Proof. intros c s s' P. apply room_in_permuted. now apply filter_permuted. Qed.

  Lemma run_feet : forall c x t, fits c t -> foot (repeat c x ++ t) = foot t.
  Proof.
    intros c x t F. induction x as [|x IH]; [reflexivity|]. rewrite <- IH. destruct x as [|x].
    - destruct t as [|d t]; [reflexivity|]. simpl in F. subst d. simpl. now rewrite Nat.eqb_refl.
    - simpl. now rewrite Nat.eqb_refl.
  Qed.

  Lemma grown_feet : forall c s s', Forall (fits c) s -> Forall2 (grown c) s s' -> map foot s' = map foot s.
  Proof.
    intros c s s' F G. induction G as [|t t' s s' (x & ->) G IH]; [reflexivity|]. inversion_clear F. simpl.
    rewrite IH by assumption. now rewrite run_feet.
  Qed.

  Lemma grown_holders : forall c s s', Forall (fun t => top c t = true) s -> Forall2 (grown c) s s' ->
    holders s' = holders s.
  Proof.
    intros c s s' F G. induction G as [|t t' s s' (x & ->) G IH]; [reflexivity|]. inversion_clear F as [|? ? T F'].
    unfold holders in *. cbn [map]. rewrite !sum_more, IH by assumption. f_equal. unfold holds_one.
    destruct t as [|d t]; [discriminate|]. simpl in T. apply Nat.eqb_eq in T. subst d. rewrite run_feet by reflexivity.
    now destruct x.
  Qed.

  (** A run is poured on tubes among others that are not touched. *)
  Lemma run_poured : forall c x below (chosen : tube -> bool) s, hd_error below <> Some c ->
    (forall t, chosen t = true -> fits c t) -> fitting r s -> x <= room_in r (filter chosen s) ->
    exists s', Permutation (map foot s') (map foot s) /\ fitting r s'
      /\ (forall d, all_of d (below :: s') = all_of d ((repeat c x ++ below) :: s))
      /\ ((forall t, chosen t = true -> top c t = true) -> holders s' = holders s)
      /\ forall more, solvable r (below :: s' ++ more) -> solvable r ((repeat c x ++ below) :: s ++ more).
  Proof.
    intros c x below chosen s H C F R. pose proof (filtered _ chosen s) as P.
    set (l := filter chosen s) in *. set (k := filter (fun t => negb (chosen t)) s) in *.
    assert (L : forall t, In t l -> chosen t = true) by (intros t I; now apply filter_In in I).
    assert (FL : Forall (fits c) l) by (apply Forall_forall; auto).
    unfold fitting in F. rewrite P in F. apply Forall_app in F as [F1 F2].
    destruct (pour_run_away r c x below l H FL F1 R) as (l' & G & F' & A & _ & S). exists (l' ++ k). repeat split.
    - rewrite P, !map_app. now rewrite (grown_feet c l l' FL G).
    - apply Forall_app. now split.
    - intros d. specialize (A d).
      rewrite (all_of_permuted d ((repeat c x ++ below) :: s) ((repeat c x ++ below) :: l ++ k))
        by now apply perm_skip.
      rewrite !all_of_more, !all_of_joined in *. lia.
    - intros T. assert (holders s = holders (l ++ k)) as -> by now apply sum_permuted, Permutation_map.
      unfold holders. rewrite !map_app, !list_sum_app. f_equal. apply (grown_holders c); [|assumption].
      apply Forall_forall. auto.
    - intros more K. apply (permuted_solvable r ((repeat c x ++ below) :: l ++ k ++ more)).
      + apply perm_skip. rewrite app_assoc. now apply Permutation_app_tail.
      + apply S. now rewrite app_assoc.
  Qed.

  (** A tube of one colour whose balls fit on top of the same colour elsewhere can be emptied. *)
  Lemma tube_emptied : forall d l1 x l2, let s := l1 ++ repeat d x :: l2 in
    1 <= x -> fitting r s -> h <= room_on d s ->
    exists s', Permutation (map foot s') (map foot s) /\ fitting r s' /\ (forall e, all_of e s' = all_of e s)
      /\ S (holders s') = holders s /\ forall more, solvable r (s' ++ more) -> solvable r (s ++ more).
  Proof.
    intros d l1 x l2 s X F R.
    assert (P : Permutation s (repeat d x :: l1 ++ l2)) by (symmetry; apply Permutation_middle).
    rewrite (room_on_permuted d _ _ P), room_on_more in R.
    assert (T : top d (repeat d x) = true) by (destruct x; [lia|apply Nat.eqb_refl]). rewrite T in R.
    unfold fitting in F. rewrite P in F. inversion_clear F as [|? ? L F']. rewrite repeat_length in *.
    assert (C : forall t, top d t = true -> fits d t).
    { intros [|e t] E; [discriminate|]. now apply Nat.eqb_eq in E. }
    destruct (run_poured d x [] (top d) (l1 ++ l2)) as (s' & M & FS & A & H & S);
      [discriminate|assumption|assumption| |].
    { unfold room_on in R. lia. }
    rewrite app_nil_r in *. exists ([] :: s'). repeat split.
    - simpl. rewrite M. rewrite (Permutation_map foot P). simpl. now rewrite foot_repeat.
    - constructor; [simpl; lia|assumption].
    - intros e. rewrite (all_of_permuted e _ _ P). apply A.
    - assert (holders s = holders (repeat d x :: l1 ++ l2)) as -> by now apply sum_permuted, Permutation_map.
      unfold holders in *. cbn [map]. rewrite !sum_more, H by auto. unfold holds_one at 1 3. rewrite foot_repeat.
      destruct x; [lia|reflexivity].
    - intros more K. apply (permuted_solvable r ((repeat d x :: l1 ++ l2) ++ more)).
      + apply Permutation_app_tail. now symmetry.
      + now apply S.
  Qed.

  (** ** Balls, room and tubes of one colour *)

  Lemma tube_account : forall d t, length t <= h ->
    count d t + (if top d t then h - length t else 0) = count d (tl (foot t)) + room r d (foot t) + pure d t * h.
  Proof.
    intros d t L. unfold pure. destruct (foot_forms t) as [(-> & e & n & ->)|(e & n & below & -> & ->)].
    - rewrite repeat_length in *. rewrite count_repeat. destruct n as [|n]; [simpl; destruct (e =? d); lia|].
      simpl. destruct (e =? d); lia.
    - rewrite count_joined, count_repeat, count_one_more. rewrite app_length, repeat_length in *. simpl in L.
      assert (E : top d (repeat e n ++ e :: below) = (e =? d)) by now destruct n. rewrite E. simpl.
      destruct (e =? d); lia.
  Qed.

  Lemma account : forall d s, fitting r s -> all_of d s + room_on d s
    = list_sum (map (fun f => count d (tl f)) (map foot s)) + list_sum (map (room r d) (map foot s))
      + list_sum (map (pure d) s) * h.
  Proof.
    intros d s F. induction F as [|t s L _ IH]; [reflexivity|]. rewrite all_of_more, room_on_more. cbn [map].
    rewrite !sum_more. pose proof (tube_account d t L). lia.
  Qed.

  (** ** A step that can't be made is blocked *)

  Lemma one_of : forall (c : colour) m cs, In c cs ->
    m <= list_sum (map (fun d : colour => if d =? c then m else 0) cs).
  Proof.
    intros c m. induction cs as [|d cs IH]; intros I; [contradiction|]. cbn [map]. rewrite sum_more.
    destruct I as [->|I]; [rewrite Nat.eqb_refl; lia|]. specialize (IH I). lia.
  Qed.

  Definition empties (s : position) : nat := length (filter is_empty s).

  Lemma room_with_empties : forall c s, room_in r (filter (takes_colour c) s) = room_on c s + empties s * h.
  Proof.
    intros c. unfold room_on, empties. induction s as [|t s IH]; [reflexivity|]. destruct t as [|d t]; simpl.
    - rewrite room_in_more. simpl. lia.
    - destruct (d =? c); [rewrite !room_in_more|]; lia.
  Qed.

  Definition covered (totals : list (colour * nat)) (s : position) : Prop :=
    forall d, 0 < all_of d s -> In d (map fst totals).

  (** The tubes without borders are those of one colour each, and the empty ones. *)
  Lemma open_tubes : forall cs s, (forall d, 0 < all_of d s -> In d cs) ->
    length (filter is_empty (map foot s)) <= list_sum (map (fun d => list_sum (map (pure d) s)) cs) + empties s.
  Proof.
    intros cs s. unfold empties. induction s as [|t s IH]; intros C; [simpl; lia|].
    assert (C' : forall d, 0 < all_of d s -> In d cs) by (intros d L; apply C; rewrite all_of_more; lia).
    specialize (IH C').
    change (fun d => list_sum (map (pure d) (t :: s))) with (fun d => pure d t + list_sum (map (pure d) s)).
    rewrite sum_both. cbn [map filter].
    destruct (is_empty (foot t)) eqn:E; [|destruct t; [discriminate|cbn [is_empty]; lia]].
    destruct t as [|d t]; [simpl; lia|]. simpl length.
    enough (1 <= list_sum (map (fun e => pure e (d :: t)) cs)) by lia.
    eapply Nat.le_trans; [apply (one_of d 1 cs)|].
    - apply C. rewrite all_of_more, count_one_more, Nat.eqb_refl. lia.
    - apply sum_monotone. intros e _. unfold pure. destruct (foot (d :: t)); [|discriminate]. rewrite Nat.eqb_sym. lia.
  Qed.

  Lemma some_pure : forall d s, 0 < list_sum (map (pure d) s) ->
    exists u, In u s /\ holds_one u = 1 /\ top d u = true.
  Proof.
    intros d. induction s as [|t s IH]; intros L; [simpl in L; lia|]. cbn [map] in L. rewrite sum_more in L.
    destruct (pure d t) eqn:E; [destruct IH as (u & I & H); [lia|]; exists u; split; [now right|assumption]|].
    exists t. split; [now left|]. unfold pure in E. unfold holds_one. destruct (foot t); [|discriminate].
    destruct t as [|e t]; [discriminate|]. simpl in *. now destruct (e =? d).
  Qed.

  Lemma stuck_blocked : forall totals c below n rest, let b := repeat c (S n) ++ below in
    0 < h -> fitting r rest -> counted totals (b :: rest) -> covered totals (b :: rest) ->
    (forall u d, In u rest -> holds_one u = 1 -> top d u = true -> d <> c -> room_on d rest < h) ->
    room_in r (filter (takes_colour c) rest) < S n ->
    blocked r totals (c :: below) (map foot rest) = true.
  Proof.
    intros totals c below n rest b C F (N & T) V U R. rewrite room_with_empties in R. unfold blocked. apply Nat.ltb_lt.
    assert (I : In c (map fst totals)).
    { apply V. unfold b. rewrite all_of_more, count_run. lia. }
    assert (O : forall d, 0 < all_of d rest -> In d (map fst totals)).
    { intros d L. apply V. rewrite all_of_more. lia. }
    apply Nat.le_lt_trans with (1 := open_tubes (map fst totals) rest O).
    set (own := fun d => list_sum (map (pure d) rest)).
    set (free := fun d : colour => if d =? c then empties rest + 1 else 0).
    assert (M : list_sum (map (fun d => own d + free d) (map fst totals))
      <= list_sum (map (fun total => needed r (snd total) (fst total) (c :: below) (map foot rest)) totals)).
    { rewrite map_map. apply sum_monotone. intros (d, m) J. cbn [fst snd]. rewrite <- (T d m J). unfold needed.
      cbn [map tl]. rewrite sum_more. pose proof (account d rest F) as A. fold (own d) in A.
      apply Nat.div_le_lower_bound; [lia|]. rewrite all_of_more. unfold b, free. destruct (Nat.eqb_spec d c) as [->|D].
      - rewrite count_run. nia.
      - rewrite count_other_run by congruence. destruct (Nat.eq_dec (own d) 0) as [Z|Z]; [rewrite Z; lia|].
        destruct (some_pure d rest) as (u & K & H1 & H2); [unfold own in Z; lia|].
        specialize (U u d K H1 H2 D). nia. }
    rewrite sum_both in M. pose proof (one_of c (empties rest + 1) (map fst totals) I) as G. unfold own, free in *. lia.
  Qed.

  (** ** A border goes *)

  Lemma holder : forall u, holds_one u = 1 -> exists d x, 1 <= x /\ u = repeat d x.
  Proof.
    intros u H. unfold holds_one in H. destruct (foot_forms u) as [(_ & d & x & ->)|(c & n & below & E & _)].
    - exists d, x. split; [|reflexivity]. destruct x; [simpl in H; lia|lia].
    - rewrite E in H. simpl in H. lia.
  Qed.

  (** Either a tube can be emptied, or no colour but those excepted has room for a tube's worth where it lies. *)
  Lemma empty_or_full : forall (except : colour -> bool) s, fitting r s ->
    (exists s', Permutation (map foot s') (map foot s) /\ fitting r s' /\ (forall e, all_of e s' = all_of e s)
      /\ S (holders s') = holders s /\ forall more, solvable r (s' ++ more) -> solvable r (s ++ more))
    \/ forall u d, In u s -> holds_one u = 1 -> top d u = true -> except d = false -> room_on d s < h.
  Proof.
    intros except s F. set (f := fun u => (holds_one u =? 1)
      && match u with [] => false | d :: _ => negb (except d) && (h <=? room_on d s) end).
    destruct (find_one _ f s) as [(l1 & u & l2 & E & G)|G].
    - left. apply andb_true_iff in G as [G1 G2]. apply Nat.eqb_eq, holder in G1 as (d & x & X & ->).
      destruct x as [|x]; [lia|]. simpl in G2. apply andb_true_iff in G2 as [_ G2]. apply Nat.leb_le in G2.
      rewrite E in *. now apply (tube_emptied d l1 (S x) l2).
    - right. intros u d I H T X. specialize (G u I). unfold f in G. rewrite H in G. simpl in G.
      destruct u as [|e u]; [discriminate|]. simpl in T. apply Nat.eqb_eq in T. subst e. rewrite X in G. simpl in G.
      now apply Nat.leb_gt in G.
  Qed.

  Lemma border_dug : forall totals, 0 < h -> forall m c below b rest, holders rest <= m -> foot b = c :: below ->
    fitting r (b :: rest) -> counted totals (b :: rest) -> covered totals (b :: rest) ->
    blocked r totals (c :: below) (map foot rest) = false ->
    (forall rest', Permutation (map foot rest') (map foot rest) -> fitting r (below :: rest') ->
      (forall d, all_of d (below :: rest') = all_of d (b :: rest)) -> solvable r (below :: rest')) ->
    solvable r (b :: rest).
  Proof.
    intros totals C. induction m as [m IH] using lt_wf_ind. intros c below b rest M E F T V B K.
    destruct (foot_below b c below E) as [H (n & ->)]. inversion_clear F as [|? ? L F'].
    destruct (le_lt_dec (S n) (room_in r (filter (takes_colour c) rest))) as [R|R].
    - destruct (run_poured c (S n) below (takes_colour c) rest H) as (s & P & FS & A & _ & S); try assumption.
      { intros [|d t] D; [exact I|]. now apply Nat.eqb_eq in D. }
      specialize (S []). rewrite !app_nil_r in S. apply S, K; [assumption| |assumption].
      constructor; [|assumption]. simpl in L. rewrite run_length in L. lia.
    - destruct (empty_or_full (fun d => d =? c) rest F') as [(s & P & FS & A & D & S)|U].
      + set (b := repeat c (Datatypes.S n) ++ below) in *. specialize (S [b]).
        apply (permuted_solvable r (rest ++ [b])); [symmetry; apply Permutation_cons_append|].
        apply S, (permuted_solvable r (b :: s)); [apply Permutation_cons_append|].
        assert (Q : forall d, all_of d (b :: s) = all_of d (b :: rest)).
        { intros d. rewrite !all_of_more. now rewrite A. }
        apply (IH (holders s) ltac:(lia) c below); try assumption; [reflexivity|now constructor| | | |].
        * destruct T as [T1 T2]. split; [assumption|]. intros d x J. rewrite Q. now apply T2.
        * intros d J. rewrite Q in J. now apply V.
        * now rewrite (blocked_permuted r _ _ _ _ P).
        * intros s' P' FS' A'. apply K; [now rewrite P', P|assumption|]. intros d. now rewrite A', Q.
      + rewrite (stuck_blocked totals c below n rest C F' T V) in B; [discriminate| |assumption].
        intros u d I J T' N. apply (U u d I J T'). now apply Nat.eqb_neq.
  Qed.

  (** ** No border is left *)

  Definition shares (s : position) : Prop := full r = true -> forall d, exists m, all_of d s = m * h.

  Lemma gathered : forall m s, holders s <= m -> fitting r s -> forallb is_empty (map foot s) = true -> shares s ->
    solvable r s.
  Proof.
    induction m as [m IH] using lt_wf_ind. intros s M F E W.
    destruct (empty_or_full (fun _ => false) s F) as [(s' & P & FS & A & D & S)|U].
    - specialize (S []). rewrite !app_nil_r in S.
      apply S, (IH (holders s') ltac:(lia)); try assumption; [reflexivity| |].
      + now rewrite (permuted_empty _ _ P).
      + intros FU d. rewrite A. now apply W.
    - apply goal_solvable. apply forallb_forall. intros u I.
      assert (O : foot u = []).
      { rewrite forallb_forall in E. specialize (E (foot u) (in_map foot s u I)). now destruct (foot u). }
      destruct (foot_forms u) as [(_ & d & x & R)|(c & n & below & R & _)]; [|congruence].
      destruct x as [|x]; [now rewrite R|]. unfold finished. rewrite R. simpl repeat at 1. cbn iota.
      apply andb_true_iff. split.
      { apply forallb_forall. intros e J. apply repeat_spec in J. subst e. apply Nat.eqb_refl. }
      destruct (full r) eqn:FU; [|reflexivity]. simpl negb. rewrite orb_false_l. apply Nat.eqb_eq.
      assert (T : top d u = true) by (rewrite R; apply Nat.eqb_refl).
      assert (H : holds_one u = 1) by (unfold holds_one; rewrite O, R; reflexivity).
      specialize (U u d I H T eq_refl). destruct (W FU d) as [k K]. pose proof (account d s F) as AC.
      assert (Z : forall g, g [] = 0 -> list_sum (map g (map foot s)) = 0).
      { intros g G. rewrite forallb_forall in E. revert E. generalize (map foot s). clear - G.
        induction l as [|f l IHl]; intros E; [reflexivity|]. cbn [map].
        rewrite sum_more, IHl by (intros; apply E; now right).
        specialize (E f (or_introl eq_refl)). destruct f; [now rewrite G|discriminate]. }
      rewrite !Z in AC by reflexivity. rewrite K in AC.
      assert (X : room_on d s = 0).
      { set (tubes := list_sum (map (pure d) s)) in AC. clearbody tubes. clear - U AC.
        destruct (Nat.le_gt_cases tubes k); nia. }
      apply in_split in I as (l1 & l2 & ->).
      rewrite (room_on_permuted d _ (u :: l1 ++ l2)), room_on_more, T in X by (symmetry; apply Permutation_middle).
      unfold fitting in F. rewrite Forall_forall in F. specialize (F u (in_elt u l1 l2)). rewrite R in *. lia.
  Qed.

  Lemma path_plan : forall totals, 0 < h -> forall t, path r totals t -> forall s, Permutation (map foot s) t ->
    fitting r s -> counted totals s -> covered totals s -> shares s -> solvable r s.
  Proof.
    intros totals C t H. induction H as [t E|t c below others P B _ IH]; intros s Q F T V W.
    - apply (gathered (holders s)); try assumption; [reflexivity|]. now rewrite (permuted_empty _ _ Q).
    - rewrite P in Q. symmetry in Q. apply Permutation_map_inv in Q as (s' & E & S).
      destruct s' as [|b rest]; [discriminate|]. simpl in E. injection E as E1 E2.
      assert (A : forall d, all_of d (b :: rest) = all_of d s).
      { intros d. apply all_of_permuted. now symmetry. }
      apply (permuted_solvable r (b :: rest)); [now symmetry|].
      apply (border_dug totals C (holders rest) c below); [reflexivity|now symmetry| | | |now rewrite <- E2|].
      + unfold fitting in *. now rewrite <- S.
      + destruct T as [T1 T2]. split; [assumption|]. intros d m J. rewrite A. now apply T2.
      + intros d L. rewrite A in L. now apply V.
      + intros rest' P' F' A'. apply IH; try assumption.
        * simpl. now rewrite P', E2.
        * destruct T as [T1 T2]. split; [assumption|]. intros d m J. rewrite A', A. now apply T2.
        * intros d L. rewrite A', A in L. now apply V.
        * intros FU d. rewrite A', A. now apply W.
  Qed.
End Paths.

(** A position can be solved if and only if there is a path from its border table to one without borders. Tubes may be
    partly full; if the goal wants them full, each colour has to have balls for whole tubes. *)
Definition by_borders : Prop := forall r s, 0 < capacity r -> fitting r s ->
  (full r = true -> forall c, exists m, all_of c s = m * capacity r) ->
  (solvable r s <-> path r (totals_of s) (map foot s)).

Theorem by_borders_proved : by_borders.
Proof.
  intros r s C F W. split.
  - intros S. destruct (solvable_reaches r s S) as (n & R).
    apply (plan_path r _ C _ _ R F (totals_counted s)).
  - intros P. apply (path_plan r _ C _ P); try assumption; [reflexivity|apply totals_counted|].
    intros d L. unfold totals_of. rewrite map_map. simpl. rewrite map_id. apply nodup_In.
    rewrite all_of_is_count_occ in L. now apply count_occ_In in L.
Qed.

(** Ball sort and water sort can be solved from the same positions, as the tables and their steps are the same. *)
Definition same_for_water : Prop := forall goal h s, let balls := {| water := false; full := goal; capacity := h |} in
  let liquid := {| water := true; full := goal; capacity := h |} in
  0 < h -> fitting balls s -> (goal = true -> forall c, exists m, all_of c s = m * h) ->
  (solvable balls s <-> solvable liquid s).

Lemma path_by_capacity : forall r r' totals t, capacity r = capacity r' -> path r totals t -> path r' totals t.
Proof.
  intros [w f h] [w' f' h'] totals t E. simpl in E. subst h'.
  induction 1 as [t E|t c below others P B _ IH]; [now apply No_border|]. now apply (Border_gone _ _ _ c below others).
Qed.

Theorem same_for_water_proved : same_for_water.
Proof.
  intros goal h s balls liquid C F W. rewrite (by_borders_proved balls s C F W), (by_borders_proved liquid s C F W).
  split; now apply path_by_capacity.
Qed.
