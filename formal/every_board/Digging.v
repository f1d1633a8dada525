(** How to solve a board when all colours but one have homes, and what the board is like where that fails.

    Let [c] be the colour without a home. Balls of the other colours go home as long as one is on top of a source. Then
    all sources have [c] on top. If the other sources have room for all balls of [c] on top of one of them, pour them
    there, and the ball below goes home. If a source has nothing below, it is the home of [c], and the board can be
    solved ([Homes.homes_solve]). Otherwise no source can be dug deeper. The room in all sources together is the number
    of balls that are at home. So in each source more balls have been dug away or are [c]s on top than there are balls
    at home: the board is [stuck]. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Bound Borders EveryBoard Plans Counts Pouring Homes.
Import ListNotations.

(** The balls of other colours in the upper parts. *)
Definition others (c : colour) (uppers : list tube) : nat := list_sum (map (fun t => length t - count c t) uppers).

(** The tubes of a board have upper parts, each with more balls than all of them together have of other colours. *)
Definition stuck (c : colour) (board : list tube) : Prop :=
  exists uppers, Forall2 (fun upper t => exists lower, t = upper ++ lower) uppers board
    /\ forall upper, In upper uppers -> others c uppers < length upper.

Section Digging.
  Variable r : rules.
  Notation h := (capacity r).
  Variable c : colour.

  (** ** The sources while they are dug *)

  Variable cs : list colour.
  Variable board : list tube.
  Hypothesis distinct : NoDup (c :: cs).
  Hypothesis coloured : forall t d, In t board -> In d t -> d = c \/ In d cs.
  Hypothesis full : forall t, In t board -> length t = h.
  Hypothesis equally_many : forall d, In d (c :: cs) -> all_of d board = h.

  (** What has become of a tube: some balls are gone from the top, and some balls of [c] have been put there. *)
  Definition dug (start now : tube) : Prop := exists upper x lower, start = upper ++ lower /\ now = repeat c x ++ lower.

  Definition sources (s : position) : Prop := Forall2 dug board s /\ all_of c s = h /\ fitting r s.

  Lemma dug_coloured : forall s, sources s -> forall t d, In t s -> In d t -> d = c \/ In d cs.
  Proof.
    intros s (D & _ & _) t d I J. revert coloured I. clear - D J.
    induction D as [|o t' b s (u & x & l & -> & ->) D IH]; intros C I; [contradiction|].
    destruct I as [<-|I]; [|apply IH; [|assumption]; intros t' e K; apply C; now right].
    apply in_app_iff in J as [J|J]; [left; now apply repeat_spec in J|].
    apply (C (u ++ l)); [now left|apply in_app_iff; now right].
  Qed.

  Lemma dug_counts : forall s, sources s -> forall d, In d (c :: cs) -> all_of d s <= h.
  Proof.
    intros s (D & A & _) d [<-|I]; [lia|]. rewrite <- (equally_many d) by now right.
    assert (N : c <> d) by (intros ->; inversion_clear distinct; contradiction). clear - D N.
    induction D as [|o t b s (u & x & l & -> & ->) D IH]; [reflexivity|].
    rewrite !all_of_more, count_other_run, count_joined by assumption. lia.
  Qed.

  Lemma grown_dug : forall b s, Forall2 dug b s -> forall s', Forall2 (grown c) s s' -> Forall2 dug b s'.
  Proof.
    induction 1 as [|o t b s (u & x & l & -> & ->) D IH]; intros s' G; inversion_clear G as [|? t' ? g (y & ->)];
      constructor; [|now apply IH].
    exists u, (y + x), l. now rewrite repeat_app, app_assoc.
  Qed.

  (** A tube in three parts: [upper] is gone, [run] balls of [c] are on top, and [lower] begins with another colour. *)
  Record source := { upper : tube; run : nat; lower : tube }.
  Definition original (p : source) : tube := upper p ++ lower p.
  Definition current (p : source) : tube := repeat c (run p) ++ lower p.

  Lemma parts : forall b s, Forall2 dug b s ->
    exists ps, b = map original ps /\ s = map current ps /\ forall p, In p ps -> hd_error (lower p) <> Some c.
  Proof.
    induction 1 as [|o t b s (u & x & l & -> & ->) D (ps & -> & -> & H)]; [exists []; now repeat split|].
    destruct (run_split c l) as (y & below & -> & N).
    exists ({| upper := u ++ repeat c y; run := x + y; lower := below |} :: ps).
    unfold original, current. simpl. rewrite repeat_app, <- !app_assoc. repeat split.
    intros p [<-|I]; [assumption|now apply H].
  Qed.

  Lemma parts_dug : forall ps, Forall2 dug (map original ps) (map current ps).
  Proof. induction ps as [|p ps IH]; constructor; [now exists (upper p), (run p), (lower p)|assumption]. Qed.

  (** The room in the sources is the number of balls that went home. *)
  Lemma room_is_others : forall ps, (forall p, In p ps -> length (original p) = h /\ length (current p) <= h) ->
    all_of c (map original ps) = all_of c (map current ps) -> room_in r (map current ps) = others c (map upper ps).
  Proof.
    intros ps F E.
    enough (room_in r (map current ps) + all_of c (map current ps)
      = others c (map upper ps) + all_of c (map original ps)) by lia.
    clear E. unfold room_in, others. induction ps as [|p ps IH]; [reflexivity|]. cbn [map].
    rewrite !sum_more, !all_of_more. specialize (IH (fun q I => F q (or_intror I))).
    destruct (F p (or_introl eq_refl)) as [S N]. unfold original, current in *.
    rewrite count_run, count_joined, ?run_length, app_length in *.
    pose proof (count_at_most c (upper p)). lia.
  Qed.

  Definition done (s : position) : Prop := solvable r (s ++ homes r cs s) \/ stuck c board.

  (** A ball of another colour is on top. *)
  Lemma ball_home : forall s l1 d t l2, (forall s', balls s' < balls s -> sources s' -> done s') ->
    sources s -> s = l1 ++ (d :: t) :: l2 -> d <> c -> done s.
  Proof.
    intros s l1 d t l2 IH S -> N.
    destruct (dug_coloured _ S (d :: t) d) as [|I]; [apply in_elt|now left|contradiction|].
    pose proof (dug_counts _ S) as L. destruct S as (D & A & F).
    destruct (run_split d (d :: t)) as (x & below & R & H).
    destruct x as [|x]; [simpl in R; subst below; now elim H|].
    rewrite R in *. clear R t. inversion_clear distinct as [|? ? _ N'].
    assert (P : forall z, Permutation (l1 ++ (repeat d z ++ below) :: l2) ((repeat d z ++ below) :: l1 ++ l2))
      by (symmetry; apply Permutation_middle).
    destruct (to_home r cs d (S x) below (l1 ++ l2) N' I ltac:(lia) H) as (y & Y & T).
    { rewrite <- (all_of_permuted d _ _ (P (S x))). apply L. now right. }
    destruct (IH (l1 ++ (repeat d (S x - y) ++ below) :: l2)) as [K|K]; [| |left|now right].
    - rewrite !balls_joined, !balls_more, !run_length. lia.
    - split; [|split].
      + apply Forall2_app_inv_r in D as (b1 & b2 & D1 & D2 & ->). inversion_clear D2 as [|o ? b3 ? Do D3].
        apply Forall2_app; [assumption|]. constructor; [|assumption]. destruct Do as (u & z & l & -> & E).
        destruct z as [|z]; [|exfalso; apply N; now injection E].
        exists (u ++ repeat d y), 0, (repeat d (S x - y) ++ below). split; [|reflexivity].
        simpl in E. rewrite <- E, <- app_assoc. f_equal. rewrite app_assoc, <- repeat_app.
        now replace (y + (S x - y)) with (S x) by lia.
      + rewrite <- A, !all_of_joined, !all_of_more, !count_other_run by assumption. reflexivity.
      + apply Forall_app in F as [F1 F2]. inversion_clear F2 as [|? ? F3 F4]. apply Forall_app. split; [assumption|].
        constructor; [|assumption]. simpl in F3. rewrite run_length in *. lia.
    - apply (permuted_solvable r _ _ (Permutation_sym (with_homes_permuted r cs _ _ (P (S x))))), T.
      now apply (permuted_solvable r _ _ (with_homes_permuted r cs _ _ (P (S x - y)))).
  Qed.

  (** A source has nothing but balls of [c]. *)
  Lemma home_found : forall l1 x l2, sources (l1 ++ repeat c x :: l2) -> done (l1 ++ repeat c x :: l2).
  Proof.
    intros l1 x l2 S. left. pose proof (dug_coloured _ S) as C. pose proof (dug_counts _ S) as L.
    destruct S as (_ & A & _).
    rewrite all_of_joined, all_of_more, count_repeat, Nat.eqb_refl in A.
    apply (permuted_solvable r ((l1 ++ l2) ++ homes r (c :: cs) (l1 ++ l2))).
    - simpl. rewrite all_of_joined. replace (h - (all_of c l1 + all_of c l2)) with x by lia.
      rewrite (homes_same r cs (l1 ++ l2) (l1 ++ repeat c x :: l2)).
      + rewrite <- Permutation_middle, <- !app_assoc. simpl. apply Permutation_middle.
      + intros d I. rewrite !all_of_joined, all_of_more, count_repeat.
        destruct (Nat.eqb_spec c d) as [->|]; [|reflexivity]. inversion_clear distinct. contradiction.
    - apply homes_solve; [assumption| |].
      + intros t d I J. destruct (C t d) as [->|K]; [|assumption|now left|now right].
        apply in_app_iff in I as [I|I]; apply in_app_iff; [now left|right; now right].
      + intros d I. specialize (L d I). rewrite all_of_joined in *. rewrite all_of_more in L. lia.
  Qed.

  Lemma solve_or_stuck : forall s, sources s -> done s.
  Proof.
    intros s. remember (balls s) as m eqn:M. revert s M. induction m as [m IH] using lt_wf_ind. intros s -> S.
    assert (IH' : forall s', balls s' < balls s -> sources s' -> done s') by (intros; eapply IH; eauto). clear IH.
    pose proof S as (D & A & F). destruct (parts _ _ D) as (ps & B & -> & H).
    (* A source has nothing but balls of [c]. *)
    destruct (find_one _ (fun p => is_empty (lower p)) ps) as [(l1 & p & l2 & -> & E)|NE].
    { destruct p as [u x [|d l]]; [|discriminate]. rewrite map_app in *. simpl in *. unfold current in *. simpl in *.
      rewrite app_nil_r in *. now apply home_found. }
    (* A source has another colour on top. *)
    destruct (find_one _ (fun p => run p =? 0) ps) as [(l1 & p & l2 & -> & E)|NR].
    { apply Nat.eqb_eq in E. assert (I : In p (l1 ++ p :: l2)) by apply in_elt.
      specialize (H p I). specialize (NE p I). clear I. destruct p as [u x [|d l]]; [discriminate|]. simpl in *.
      subst x.
      apply (ball_home _ (map current l1) d l (map current l2) IH' S); [|congruence]. now rewrite map_app. }
    assert (sizes : forall p, In p ps -> length (original p) = h /\ length (current p) <= h).
    { intros p I. split; [apply full; rewrite B; now apply in_map|]. unfold fitting in F. rewrite Forall_forall in F.
      now apply F, in_map. }
    assert (E : all_of c (map original ps) = all_of c (map current ps)).
    { rewrite <- B, A. apply equally_many. now left. }
    (* All have [c] on top. Have the others room for the run of one of them? *)
    destruct (find_one _ (fun p => h - length (lower p) <=? room_in r (map current ps)) ps)
      as [(l1 & p & l2 & P & R)|NM].
    - apply Nat.leb_le in R.
      assert (I : In p ps) by (rewrite P; apply in_elt).
      assert (O : Forall (fits c) (map current (l1 ++ l2)) /\ fitting r (map current (l1 ++ l2))).
      { split; apply Forall_forall; intros t J; apply in_map_iff in J as (q & <- & J);
          assert (K : In q ps)
            by (rewrite P; apply in_app_iff in J as [J|J]; apply in_app_iff; [now left|right; now right]).
        - specialize (NR q K). apply Nat.eqb_neq in NR. unfold current. destruct (run q); [contradiction|reflexivity].
        - now apply sizes. }
      destruct O as [O1 O2].
      destruct (pour_run_away r c (run p) (lower p) (map current (l1 ++ l2)) (H p I) O1 O2)
        as (rest & G & F' & AL & BL & K).
      { destruct (sizes p I) as [_ SP]. unfold current in SP. rewrite run_length in SP. rewrite P in R.
        unfold room_in in *. rewrite !map_app, !list_sum_app in *. cbn [map] in R. rewrite sum_more in R.
        unfold current at 2 in R. rewrite run_length in R. lia. }
      rewrite map_app in G. apply Forall2_app_inv_l in G as (g1 & g2 & G1 & G2 & ->).
      assert (Q : Permutation (map current ps) ((repeat c (run p) ++ lower p) :: map current (l1 ++ l2))).
      { rewrite P, !map_app. symmetry. apply Permutation_middle. }
      assert (Q' : Permutation (g1 ++ lower p :: g2) (lower p :: g1 ++ g2)) by (symmetry; apply Permutation_middle).
      assert (S' : sources (g1 ++ lower p :: g2)).
      { split; [|split].
        - apply (grown_dug board (map current l1 ++ lower p :: map current l2)).
          + rewrite P in B. rewrite B, map_app. apply Forall2_app; [|constructor].
            1, 3: apply parts_dug.
            now exists (upper p), 0, (lower p).
          + apply Forall2_app; [assumption|]. constructor; [now exists 0|assumption].
        - now rewrite (all_of_permuted c _ _ Q'), AL, <- (all_of_permuted c _ _ Q).
        - unfold fitting. rewrite Q'. constructor; [|assumption].
          destruct (sizes p I) as [_ SP]. unfold current in SP. rewrite run_length in SP. lia. }
      assert (BE : balls (g1 ++ lower p :: g2) = balls (map current ps)).
      { rewrite (balls_permuted _ _ Q').
        transitivity (balls ((repeat c (run p) ++ lower p) :: map current (l1 ++ l2))); [exact BL|].
        symmetry. now apply balls_permuted. }
      assert (X : done (g1 ++ lower p :: g2)).
      { specialize (H p I). specialize (NE p I). destruct (lower p) as [|d l]; [discriminate|].
        apply (ball_home _ g1 d l g2); [|assumption|reflexivity|simpl in H; congruence]. now rewrite BE. }
      destruct X as [X|X]; [left|now right].
      assert (same : homes r cs (g1 ++ lower p :: g2) = homes r cs (map current ps)).
      { apply homes_same. intros d _. now rewrite (all_of_permuted d _ _ Q'), AL, <- (all_of_permuted d _ _ Q). }
      rewrite same in X. apply (permuted_solvable r _ _ (Permutation_app_tail _ (Permutation_sym Q))), K.
      apply (permuted_solvable r _ _ (Permutation_app_tail _ Q') X).
    - right. exists (map upper ps). split.
      + rewrite B. clear. induction ps as [|p ps IH]; constructor; [now exists (lower p)|assumption].
      + intros u I. apply in_map_iff in I as (p & <- & I). specialize (NM p I). apply Nat.leb_gt in NM.
        rewrite (room_is_others ps sizes E) in NM. destruct (sizes p I) as [SP _]. unfold original in SP.
        rewrite app_length in SP. lia.
  Qed.

  Theorem board_solvable_or_stuck : solvable r (board ++ repeat [] (length cs)) \/ stuck c board.
  Proof.
    rewrite <- (homes_empty r cs board) by (intros; apply equally_many; now right). apply solve_or_stuck.
    split; [|split].
    - clear. induction board as [|t b IH]; constructor; [now exists [], 0, t|assumption].
    - apply equally_many. now left.
    - apply Forall_forall. intros t I. now rewrite full.
  Qed.
End Digging.
