(** Boards of capacity 2 with two empty tubes can be solved.

    Pour the upper ball of some tube into an empty one. Then two tubes hold one ball each, of colours [a] and [b], and
    one is empty. Look for the tube with the other [b], and let it join the first one, with what is on top of it, if
    anything, going to the empty tube before. This leaves a complete tube of [b] and again two tubes with one ball each
    and an empty one, or, if the two balls are of one colour, two empty tubes. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves EveryBoard Plans Counts.
Import ListNotations.

Ltac permuted := repeat (simpl app; match goal with
  | |- Permutation ?l ?l => reflexivity
  | |- Permutation (?x :: _) (?x :: _) => apply perm_skip
  | |- Permutation (?x :: _) (?u :: ?x :: ?l) => apply (Permutation_cons_app [u] l)
  | |- Permutation (?x :: _) (?u :: ?v :: ?x :: ?l) => apply (Permutation_cons_app [u; v] l)
  | |- Permutation (?x :: _) (?u :: ?v :: ?w :: ?x :: ?l) => apply (Permutation_cons_app [u; v; w] l)
  end).

Section TwoBalls.
  Variable r : rules.
  Hypothesis two : capacity r = 2.

  Definition pairs (s : position) : Prop := forall c, all_of c s = 0 \/ all_of c s = 2.
  Definition twos (s : position) : Prop := Forall (fun t => length t = 2) s.

  Lemma complete : forall c, finished r [c; c] = true.
  Proof. intros c. unfold finished. simpl. rewrite two, Nat.eqb_refl. simpl. apply orb_true_r. Qed.

  Lemma pour_one : forall c a b, hd_error a <> Some c -> fits c b -> length b < 2 ->
    pour r (c :: a) b = Some (a, c :: b).
  Proof.
    intros c a b H F L. destruct (pour_run r c 1 a b (le_n 1) H F) as (y & Y & _ & P); [now rewrite two|].
    now replace y with 1 in P by lia.
  Qed.

  (** One pour, wherever the two tubes stand. *)
  Lemma pour_anywhere : forall c a b rest s, hd_error a <> Some c -> fits c b -> length b < 2 ->
    Permutation ((c :: a) :: b :: rest) s -> solvable r (a :: (c :: b) :: rest) -> solvable r s.
  Proof.
    intros c a b rest s H F L P S. apply (permuted_solvable r _ _ P). eapply pour_solvable; [|exact S].
    now apply pour_one.
  Qed.

  Lemma two_empty_tubes : forall m,
    (forall s, length s = m -> twos s -> pairs s -> solvable r ([] :: [] :: s))
    /\ forall s a b, length s = m -> a <> b -> twos s -> pairs ([a] :: [b] :: s) -> solvable r ([a] :: [b] :: [] :: s).
  Proof.
    induction m as [|m [IH1 IH2]].
    { split; intros [|t s]; try discriminate; [intros; now apply goal_solvable|]. intros a b _ N _ P. exfalso.
      specialize (P b). rewrite !all_of_more, !count_one_more, !count_none in P. rewrite Nat.eqb_refl in P.
      destruct (Nat.eqb_spec a b); [contradiction|]. rewrite all_of_none in P. lia. }
    split.
    - intros [|t s] L T P; [discriminate|]. inversion_clear T as [|? ? T1 T2].
      destruct t as [|a [|b [|? t]]]; try discriminate. destruct (Nat.eq_dec a b) as [->|N].
      + apply (permuted_solvable r ([b; b] :: [] :: [] :: s)); [permuted|]. apply finished_added; [apply complete|].
        apply IH1; [now injection L|assumption|]. intros c. specialize (P c).
        rewrite all_of_more, !count_one_more, count_none in P.
        destruct (b =? c); lia.
      + apply (pour_anywhere a [b] [] ([] :: s)); [simpl; congruence|exact I|simpl; lia|permuted|].
        apply (permuted_solvable r ([a] :: [b] :: [] :: s)); [permuted|].
        apply IH2; [now injection L|assumption|assumption|]. intros c. specialize (P c).
        rewrite !all_of_more, !count_one_more, !count_none in *. lia.
    - intros s a b L N T P.
      assert (B : exists t, In t s /\ In b t).
      { assert (B : In b (concat s)); [|apply in_concat in B as (t & ? & ?); now exists t].
        apply (count_occ_In Nat.eq_dec). rewrite <- all_of_is_count_occ. specialize (P b).
        rewrite !all_of_more, !count_one_more, !count_none in P. rewrite Nat.eqb_refl in P.
        destruct (Nat.eqb_spec a b); [contradiction|]. lia. }
      destruct B as (t & I & B). apply in_split in I as (l1 & l2 & ->).
      assert (Q : Permutation (t :: l1 ++ l2) (l1 ++ t :: l2)) by apply Permutation_middle.
      assert (PQ : pairs ([a] :: [b] :: t :: l1 ++ l2)).
      { intros c. rewrite (all_of_permuted c _ ([a] :: [b] :: l1 ++ t :: l2)); [apply P|now rewrite Q]. }
      apply (permuted_solvable r ([a] :: [b] :: [] :: t :: l1 ++ l2)); [now rewrite Q|].
      unfold twos in T. rewrite <- Q in T. apply Permutation_length in Q. rewrite L in Q. simpl in Q. injection Q as Q.
      clear P L. inversion_clear T as [|? ? T1 T2]. destruct t as [|x [|y [|? t]]]; try discriminate. clear T1.
      set (s := l1 ++ l2) in *. clearbody s.
      assert (E : forall c, all_of c ([a] :: [b] :: [x; y] :: s) = (if a =? c then 1 else 0) + (if b =? c then 1 else 0)
        + (if x =? c then 1 else 0) + (if y =? c then 1 else 0) + all_of c s).
      { intros c. rewrite !all_of_more, !count_one_more, !count_none. lia. }
      assert (F : forall c z, all_of c ([a] :: [z] :: s)
        = (if a =? c then 1 else 0) + (if z =? c then 1 else 0) + all_of c s).
      { intros c z. rewrite !all_of_more, !count_one_more, !count_none. lia. }
      assert (NXY : x <> y).
      { intros ->. assert (y = b) as -> by (simpl in B; tauto). specialize (PQ b). rewrite E, Nat.eqb_refl in PQ. lia. }
      destruct (Nat.eq_dec x b) as [->|NX].
      + apply (pour_anywhere b [y] [b] ([a] :: [] :: s)); [simpl; congruence|reflexivity|simpl; lia|permuted|].
        apply (permuted_solvable r ([b; b] :: [y] :: [a] :: [] :: s)); [permuted|].
        apply finished_added; [apply complete|].
        destruct (Nat.eq_dec y a) as [->|NA].
        * apply (pour_anywhere a [] [a] ([] :: s)); [discriminate|reflexivity|simpl; lia|permuted|].
          apply (permuted_solvable r ([a; a] :: [] :: [] :: s)); [permuted|]. apply finished_added; [apply complete|].
          apply IH1; try assumption. intros c. specialize (PQ c). rewrite E in PQ.
          destruct (Nat.eqb_spec a c), (Nat.eqb_spec b c); subst; try contradiction; lia.
        * apply (permuted_solvable r ([a] :: [y] :: [] :: s)); [permuted|]. apply IH2; try assumption; [congruence|].
          intros c. specialize (PQ c). rewrite E in PQ. rewrite F. destruct (b =? c); lia.
      + assert (y = b) as -> by (simpl in B; tauto). destruct (Nat.eq_dec x a) as [->|NA].
        * apply (pour_anywhere a [b] [a] ([b] :: [] :: s)); [simpl; congruence|reflexivity|simpl; lia|permuted|].
          apply (pour_anywhere b [] [b] ([a; a] :: [] :: s)); [discriminate|reflexivity|simpl; lia|permuted|].
          apply (permuted_solvable r ([a; a] :: [b; b] :: [] :: [] :: s)); [permuted|].
          do 2 (apply finished_added; [apply complete|]).
          apply IH1; try assumption. intros c. specialize (PQ c). rewrite E in PQ.
          destruct (Nat.eqb_spec a c), (Nat.eqb_spec b c); subst; try contradiction; lia.
        * apply (pour_anywhere x [b] [] ([a] :: [b] :: s)); [simpl; congruence|exact I|simpl; lia|permuted|].
          apply (pour_anywhere b [] [b] ([x] :: [a] :: s)); [discriminate|reflexivity|simpl; lia|permuted|].
          apply (permuted_solvable r ([b; b] :: [a] :: [x] :: [] :: s)); [permuted|].
          apply finished_added; [apply complete|]. apply IH2; try assumption; [congruence|].
          intros c. specialize (PQ c). rewrite E in PQ. rewrite F. destruct (b =? c); lia.
  Qed.
End TwoBalls.
