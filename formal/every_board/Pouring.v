(** Pouring a run of one colour away: it fits if the tubes that take the colour have room for it. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Bound Borders EveryBoard Plans Counts.
Import ListNotations.

Lemma find_one : forall A (f : A -> bool) l,
  (exists l1 x l2, l = l1 ++ x :: l2 /\ f x = true) \/ forall x, In x l -> f x = false.
Proof.
  intros A f. induction l as [|x l [(l1 & y & l2 & -> & F)|H]]; [now right| |].
  - left. now exists (x :: l1), y, l2.
  - destruct (f x) eqn:E; [left; now exists [], x, l|]. right. intros y [<-|I]; auto.
Qed.

Section Pouring.
  Variable r : rules.
  Notation h := (capacity r).
  Variable c : colour.

  (** Balls of [c] have been put on a tube. *)
  Definition grown (t t' : tube) : Prop := exists x, t' = repeat c x ++ t.

  (** The balls that fit into tubes. *)
  Definition room_in (s : position) : nat := list_sum (map (fun t => h - length t) s).

  Lemma grown_more : forall x t t', grown (repeat c x ++ t) t' -> grown t t'.
  Proof. intros x t t' (y & ->). exists (y + x). now rewrite repeat_app, app_assoc. Qed.

  Lemma grown_same : forall s, Forall2 grown s s.
  Proof. induction s; constructor; [now exists 0|assumption]. Qed.

  Lemma grown_fits : forall y t, fits c t -> fits c (repeat c y ++ t).
  Proof. now intros [|y] t F. Qed.

  Lemma pour_run_away : forall x below rest, hd_error below <> Some c -> Forall (fits c) rest -> fitting r rest ->
    x <= room_in rest ->
    exists rest', Forall2 grown rest rest' /\ fitting r rest'
      /\ (forall d, all_of d (below :: rest') = all_of d ((repeat c x ++ below) :: rest))
      /\ balls (below :: rest') = balls ((repeat c x ++ below) :: rest)
      /\ forall more, solvable r (below :: rest' ++ more) -> solvable r ((repeat c x ++ below) :: rest ++ more).
  Proof.
    induction x as [x IH] using lt_wf_ind. intros below rest H C F R.
    destruct (Nat.eq_dec x 0) as [->|X]; [exists rest; simpl; auto using grown_same|].
    destruct (find_one _ (fun t => length t <? h) rest) as [(l1 & t & l2 & -> & L)|E].
    - apply Nat.ltb_lt in L. pose proof C as C'. apply Forall_app in C' as [C1 C2]. inversion_clear C2 as [|? ? CT C3].
      pose proof F as F'. apply Forall_app in F' as [F1 F2]. inversion_clear F2 as [|? ? FT F3].
      destruct (pour_run r c x below t ltac:(lia) H CT L) as (y & Y & M & P).
      destruct (IH (x - y) ltac:(lia) below (l1 ++ (repeat c y ++ t) :: l2) H) as (rest' & G & F' & A & B & S).
      + apply Forall_app. split; [assumption|]. constructor; [now apply grown_fits|assumption].
      + apply Forall_app. split; [assumption|]. constructor; [|assumption]. rewrite run_length. lia.
      + unfold room_in in *. rewrite map_app, list_sum_app in *. cbn [map] in *. rewrite sum_more, ?run_length in *.
        lia.
      + exists rest'. repeat split.
        * clear - G. apply Forall2_app_inv_l in G as (g1 & g2 & G1 & G2 & ->). inversion_clear G2 as [|? g ? g3 Gt G3].
          apply Forall2_app; [assumption|]. constructor; [eapply grown_more; eassumption|assumption].
        * assumption.
        * intros d. rewrite A. rewrite !all_of_more, !all_of_joined, !all_of_more, !count_joined, !count_repeat.
          destruct (c =? d); lia.
        * rewrite B, !balls_more, !balls_joined, !balls_more, !run_length. lia.
        * intros more K. apply S in K.
          assert (Q : forall u v : tube, Permutation (u :: (l1 ++ v :: l2) ++ more) (u :: v :: l1 ++ l2 ++ more)).
          { intros u v. apply perm_skip. rewrite <- app_assoc. symmetry. apply Permutation_middle. }
          apply (permuted_solvable r _ _ (Permutation_sym (Q _ _))). eapply (pour_solvable r); [exact P|].
          now apply (permuted_solvable r _ _ (Q _ _)).
    - exfalso. assert (Z : room_in rest = 0); [|lia]. clear - E. unfold room_in.
      induction rest as [|t rest IH]; [reflexivity|].
      cbn [map]. rewrite sum_more, IH by (intros; apply E; now right).
      specialize (E t (or_introl eq_refl)). apply Nat.ltb_ge in E. lia.
  Qed.
End Pouring.
