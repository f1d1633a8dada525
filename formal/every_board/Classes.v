(** Boards of a class: what follows from the definition, and how to make a board of the next class. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Bound Borders EveryBoard Plans Counts Homes Counting NewColour.
Import ListNotations.

Section Classes.
  Variable r : rules.
  Notation h := (capacity r).

  (** The full tubes of a board of [n] colours. *)
  Definition full_tubes (n : nat) (tubes : list tube) : Prop :=
    length tubes = n /\ (forall t, In t tubes -> length t = h) /\ forall c, c < n -> all_of c tubes = h.

  Lemma class_tubes : forall n k board, in_class r n k board <->
    exists tubes, Permutation board (tubes ++ repeat [] k) /\ full_tubes n tubes.
  Proof.
    intros n k board. split; intros (tubes & P & L & F & C); exists tubes; repeat split; try assumption;
      intros c I; specialize (C c I); now rewrite all_of_is_count_occ in *.
  Qed.

  Lemma all_colours : forall n tubes, full_tubes n tubes -> forall t c, In t tubes -> In c t -> c < n.
  Proof.
    intros n tubes (L & F & C) t c I J. destruct (Nat.lt_ge_cases c n) as [|G]; [assumption|exfalso].
    assert (N : NoDup (c :: seq 0 n)).
    { constructor; [|apply seq_NoDup]. intros K. apply in_seq in K. lia. }
    pose proof (counts_at_most (concat tubes) (c :: seq 0 n) N) as M. cbn [map] in M. rewrite sum_more in M.
    assert (S : list_sum (map (fun d => count d (concat tubes)) (seq 0 n)) = n * h).
    { rewrite <- (seq_length n 0) at 2. assert (H : forall d, In d (seq 0 n) -> count d (concat tubes) = h).
      { intros d K. apply in_seq in K. rewrite count_is_count_occ, <- all_of_is_count_occ. apply C. lia. }
      revert H. generalize (seq 0 n). induction l as [|d l IH]; intros H; [reflexivity|].
      cbn [map length]. rewrite sum_more, H by now left. rewrite IH by (intros e K; apply H; now right). lia. }
    assert (T : length (concat tubes) = n * h).
    { rewrite <- L. clear - F. induction tubes as [|t tubes IH]; [reflexivity|]. simpl.
      rewrite app_length, (F t) by now left. rewrite IH by (intros u K; apply F; now right). lia. }
    assert (0 < count c (concat tubes)).
    { rewrite count_is_count_occ. apply count_occ_In, in_concat. eauto. }
    unfold tube, colour in *. lia.
  Qed.

  Lemma more_empty : forall s k, solvable r s -> solvable r (s ++ repeat [] k).
  Proof.
    intros s k H. induction k as [|k IH]; [now rewrite app_nil_r|]. simpl.
    apply (permuted_solvable r ([] :: s ++ repeat [] k)); [apply Permutation_middle|]. now apply finished_added.
  Qed.

  Lemma no_plan_for_more : forall n k, (exists board, in_class r n k board /\ ~ solvable r board) -> 0 < h ->
    forall m, n <= m -> exists board, in_class r m k board /\ ~ solvable r board.
  Proof.
    intros n k H P. induction 1 as [|m _ (board & C & U)]; [assumption|]. clear H n.
    apply class_tubes in C as (tubes & Q & F). pose proof (all_colours _ _ F) as A. destruct F as (L & F & C).
    exists (repeat m h :: board). split.
    - apply class_tubes. exists (repeat m h :: tubes). split; [simpl; now rewrite Q|]. repeat split.
      + simpl. now rewrite L.
      + intros t [<-|I]; [apply repeat_length|now apply F].
      + intros c I. rewrite all_of_more, count_repeat. destruct (Nat.eqb_spec m c) as [<-|N].
        * enough (all_of m tubes = 0) by lia. rewrite all_of_is_count_occ. apply count_occ_not_In. intros J.
          apply in_concat in J as (t & J & K). specialize (A t m J K). lia.
        * apply C. lia.
    - intros S. apply U, (new_colour_useless r m [] board h P); [|exact S]. simpl. intros J.
      apply in_concat in J as (t & J & K). rewrite Q in J. apply in_app_iff in J as [J|J].
      + specialize (A t m J K). lia.
      + apply repeat_spec in J. now subst t.
  Qed.
End Classes.
