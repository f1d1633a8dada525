(** Solving boards with homes.

    A home is a tube for one colour alone, which holds all balls of it that have left the other tubes, the sources. So
    the sources tell what is in the homes. If all colours have homes, every ball can go there ([homes_solve]). *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Bound Borders EveryBoard Plans Counts Pouring.
Import ListNotations.

Section Homes.
  Variable r : rules.
  Notation h := (capacity r).

  Definition homes (cs : list colour) (s : position) : position := map (fun c => repeat c (h - all_of c s)) cs.

  Lemma homes_same : forall cs s s', (forall c, In c cs -> all_of c s = all_of c s') -> homes cs s = homes cs s'.
  Proof. intros cs s s' E. apply map_ext_in. intros c I. now rewrite E. Qed.

  Lemma homes_joined : forall cs cs' s, homes (cs ++ cs') s = homes cs s ++ homes cs' s.
  Proof. intros. apply map_app. Qed.

  Lemma with_homes_permuted : forall cs s s', Permutation s s' -> Permutation (s ++ homes cs s) (s' ++ homes cs s').
  Proof.
    intros cs s s' P. rewrite (homes_same cs s s'); [now rewrite P|]. intros c _.
    now apply sum_permuted, Permutation_map.
  Qed.

  (** Balls on top of a source go to their home: one in ball sort, the whole run in water sort. *)
  Lemma to_home : forall cs d x below rest, NoDup cs -> In d cs -> 1 <= x -> hd_error below <> Some d ->
    all_of d ((repeat d x ++ below) :: rest) <= h ->
    exists y, 1 <= y <= x
      /\ (solvable r (((repeat d (x - y) ++ below) :: rest) ++ homes cs ((repeat d (x - y) ++ below) :: rest))
          -> solvable r (((repeat d x ++ below) :: rest) ++ homes cs ((repeat d x ++ below) :: rest))).
  Proof.
    intros cs d x below rest N I X H F. apply in_split in I as (l1 & l2 & ->). apply NoDup_remove_2 in N.
    set (N0 := all_of d ((repeat d x ++ below) :: rest)) in *.
    assert (A : forall z, all_of d ((repeat d z ++ below) :: rest) = z + (N0 - x)).
    { intros z. unfold N0. rewrite !all_of_more, !count_run. lia. }
    assert (x <= N0).
    { unfold N0. rewrite all_of_more, count_run. lia. }
    destruct (pour_run r d x below (repeat d (h - N0)) X H) as (y & Y & L & P).
    { unfold fits. destruct (h - N0); [exact I|reflexivity]. }
    { rewrite repeat_length. lia. }
    exists y. split; [assumption|].
    assert (same : forall l, ~ In d l -> forall z,
      homes l ((repeat d z ++ below) :: rest) = homes l ((repeat d x ++ below) :: rest)).
    { intros l M z. apply homes_same. intros c J. rewrite !all_of_more, !count_other_run; [reflexivity| |];
        intros ->; contradiction. }
    assert (~ In d l1) by (intros J; apply N, in_or_app; now left).
    assert (~ In d l2) by (intros J; apply N, in_or_app; now right).
    assert (front : forall z, Permutation
      (((repeat d z ++ below) :: rest) ++ homes (l1 ++ d :: l2) ((repeat d z ++ below) :: rest))
      ((repeat d z ++ below) :: repeat d (h - (z + (N0 - x))) :: rest ++ homes l1 ((repeat d x ++ below) :: rest)
        ++ homes l2 ((repeat d x ++ below) :: rest))).
    { intros z. rewrite homes_joined. change (homes (d :: l2) ?s) with (repeat d (h - all_of d s) :: homes l2 s).
      rewrite A, (same l1), (same l2) by assumption. simpl. apply perm_skip.
      rewrite app_assoc, <- Permutation_middle, <- app_assoc.
      reflexivity. }
    intros S. apply (permuted_solvable r _ _ (Permutation_sym (front x))).
    apply (permuted_solvable r _ _ (front (x - y))) in S. replace (x + (N0 - x)) with N0 by lia.
    refine (pour_solvable r _ _ _ _ _ P _). rewrite <- repeat_app.
    replace (y + (h - N0)) with (h - (x - y + (N0 - x))); [assumption|]. fold N0 in F. lia.
  Qed.

  (** ** Homes for all colours *)

  Lemma homes_solve : forall cs, NoDup cs -> forall s, (forall t d, In t s -> In d t -> In d cs) ->
    (forall d, In d cs -> all_of d s <= h) -> solvable r (s ++ homes cs s).
  Proof.
    intros cs N s. remember (balls s) as m eqn:M. revert s M.
    induction m as [m IH] using lt_wf_ind. intros s -> C L.
    destruct (find_one _ (fun t => negb (is_empty t)) s) as [(l1 & t & l2 & -> & E)|E].
    - destruct t as [|d t]; [discriminate|].
      assert (I : In d cs) by (apply (C (d :: t)); [apply in_elt|now left]).
      destruct (run_split d (d :: t)) as (x & below & R & H).
      destruct x as [|x]; [simpl in R; subst below; now elim H|]. rewrite R in *. clear R t E.
      set (tube_with := fun z => repeat d z ++ below) in *. fold (tube_with (S x)) in *.
      assert (P : forall z, Permutation (l1 ++ tube_with z :: l2) (tube_with z :: l1 ++ l2))
        by (symmetry; apply Permutation_middle).
      destruct (to_home cs d (S x) below (l1 ++ l2) N I ltac:(lia) H) as (y & Y & T).
      { fold (tube_with (S x)). rewrite <- (all_of_permuted d _ _ (P (S x))). now apply L. }
      fold (tube_with (S x)) (tube_with (S x - y)) in T.
      apply (permuted_solvable r _ _ (Permutation_sym (with_homes_permuted cs _ _ (P (S x))))), T.
      apply (permuted_solvable r _ _ (with_homes_permuted cs _ _ (P (S x - y)))).
      apply (IH (balls (l1 ++ tube_with (S x - y) :: l2))).
      + rewrite !balls_joined, !balls_more. unfold tube_with. rewrite !run_length. lia.
      + reflexivity.
      + intros t e J K. apply in_app_iff in J as [J|[<-|J]];
          [apply (C t)|apply (C (tube_with (S x)))|apply (C t)]; try assumption; try apply in_elt;
          [apply in_app_iff; now left| |apply in_app_iff; right; now right].
        unfold tube_with in *. apply in_app_iff in K as [K|K]; apply in_app_iff; [left|now right].
        apply repeat_spec in K. subst e. now left.
      + intros e J. specialize (L e J). rewrite all_of_joined, all_of_more in *. unfold tube_with in *.
        rewrite count_joined, count_repeat in *. destruct (d =? e); lia.
    - apply goal_solvable. unfold is_goal. rewrite forallb_app. apply andb_true_iff.
      split; apply forallb_forall; intros t I.
      + specialize (E t I). now destruct t.
      + apply in_map_iff in I as (d & <- & I). assert (Z : all_of d s = 0).
        { clear - E. induction s as [|t s IH]; [reflexivity|]. rewrite all_of_more, IH by (intros; apply E; now right).
          specialize (E t (or_introl eq_refl)). now destruct t. }
        rewrite Z, Nat.sub_0_r. destruct h eqn:K; [reflexivity|]. simpl. rewrite Nat.eqb_refl. simpl.
        rewrite K, repeat_length, Nat.eqb_refl, orb_true_r, andb_true_r. apply forallb_forall. intros e J.
        apply repeat_spec in J. subst e. apply Nat.eqb_refl.
  Qed.

  Lemma homes_empty : forall cs s, (forall c, In c cs -> all_of c s = h) -> homes cs s = repeat [] (length cs).
  Proof.
    intros cs s A. unfold homes. induction cs as [|c cs IH]; [reflexivity|]. simpl.
    rewrite A, Nat.sub_diag by now left. simpl. f_equal. apply IH. intros d I. apply A. now right.
  Qed.
End Homes.
