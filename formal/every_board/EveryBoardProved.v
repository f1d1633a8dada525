(** The theorems of [EveryBoard.v], and those of [Paths.v]. [make] sees to it that they rest on no axioms. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Borders EveryBoard Plans Counts TallBoards NewColour Homes Digging
  Counting TwoBalls Classes Paths.
Import ListNotations.

Lemma pairwise : forall A B (R : A -> B -> Prop) d e l l', Forall2 R l l' ->
  forall i, i < length l -> R (nth i l d) (nth i l' e).
Proof. induction 1; intros [|i] L; simpl in *; try lia; auto. apply IHForall2. lia. Qed.

Lemma same_length : forall A B (R : A -> B -> Prop) l l', Forall2 R l l' -> length l = length l'.
Proof. induction 1; simpl; congruence. Qed.

Lemma common_prefix : forall (u v x y : tube), u ++ x = v ++ y -> length u <= length v -> exists rest, v = u ++ rest.
Proof.
  induction u as [|a u IH]; intros [|b v] x y E L; simpl in *; try lia; [now exists []|now exists (b :: v)|].
  injection E as -> E. destruct (IH v x y E ltac:(lia)) as [rest ->]. now exists rest.
Qed.

(** A board of [n] colours with [n] - 1 empty tubes can be solved, or it is stuck for each of its colours. *)
Lemma solvable_or_all_stuck : forall r n tubes, full_tubes r n tubes -> forall m, m <= n ->
  solvable r (tubes ++ repeat [] (n - 1))
  \/ exists uppers, forall c, c < m -> Forall2 (fun upper t => exists lower, t = upper ++ lower) (uppers c) tubes
       /\ forall upper, In upper (uppers c) -> others c (uppers c) < length upper.
Proof.
  intros r n tubes F. induction m as [|m IH]; intros L; [right; exists (fun _ => []); lia|].
  destruct IH as [S|(uppers & U)]; [lia|now left|].
  assert (I : In m (seq 0 n)) by (apply in_seq; lia). apply in_split in I as (l1 & l2 & E).
  assert (P : Permutation (seq 0 n) (m :: l1 ++ l2)) by (rewrite E; symmetry; apply Permutation_middle).
  assert (D : forall c, In c (m :: l1 ++ l2) <-> c < n).
  { intros c. rewrite <- P, in_seq. lia. }
  destruct (board_solvable_or_stuck r m (l1 ++ l2) tubes) as [S|(ups & S)].
  - rewrite <- P. apply seq_NoDup.
  - intros t c I J. pose proof (all_colours r n tubes F t c I J) as K. apply D in K. simpl in K. intuition.
  - now destruct F as (_ & F & _).
  - intros c I. destruct F as (_ & _ & C). now apply C, D.
  - left. apply Permutation_length in P. rewrite seq_length in P. simpl in P.
    now replace (n - 1) with (length (l1 ++ l2)) by lia.
  - right. exists (fun c => if c =? m then ups else uppers c). intros c K.
    destruct (Nat.eqb_spec c m) as [->|]; [assumption|]. apply U. lia.
Qed.

Theorem low_boards : forall r n, 2 <= n -> capacity r < n ^ n -> all_solvable r n (n - 1).
Proof.
  intros r n N H board B. apply class_tubes in B as (tubes & P & F).
  apply (permuted_solvable r _ _ (Permutation_sym P)).
  destruct (solvable_or_all_stuck r n tubes F n (le_n n)) as [|(uppers & U)]; [assumption|exfalso].
  destruct F as (L & F & C). set (part := fun c i => nth i (uppers c) []).
  assert (lengths : forall c, c < n -> length (uppers c) = n).
  { intros c I. destruct (U c I) as [U' _]. now rewrite (same_length _ _ _ _ _ U'). }
  assert (prefix : forall c i, c < n -> i < n -> exists lower, nth i tubes [] = part c i ++ lower).
  { intros c i I J. destruct (U c I) as [U' _]. apply (pairwise _ _ _ [] [] _ _ U'). now rewrite lengths. }
  destruct (tall_when_stuck n part N) as (c & I & K).
  - intros c d i I J K M. destruct (prefix c i I K) as [x X]. destruct (prefix d i J K) as [y Y]. rewrite X in Y.
    exact (common_prefix _ _ _ _ Y M).
  - intros c i I J. destruct (U c I) as [_ S]. unfold others in S.
    rewrite (sum_of_list _ _ []), (lengths c I) in S. apply S, nth_In. now rewrite lengths.
  - assert (sum (own part c) n <= all_of c tubes); [|rewrite (C c I) in *; lia].
    unfold all_of. rewrite (sum_of_list tube (count c) []), L. apply sum_at_most. intros i J.
    destruct (prefix c i I J) as [lower E]. unfold own, tube in *. rewrite E, count_joined. lia.
Qed.

Theorem one_tube_less_proved : one_tube_less.
Proof.
  intros r n N. split; [|now apply low_boards]. intros S. apply Nat.lt_nge. intros H.
  apply (tall_board r n N H), S. now apply tall_in_class.
Qed.

Theorem enough_tubes_proved : enough_tubes.
Proof.
  intros r n k K board B. apply class_tubes in B as (tubes & P & F).
  apply (permuted_solvable r _ _ (Permutation_sym P)).
  pose proof (all_colours r n tubes F) as A. destruct F as (L & _ & C).
  replace k with (n + (k - n)) by lia. rewrite repeat_app, app_assoc. apply more_empty.
  assert (H : forall c, In c (seq 0 n) -> all_of c tubes = capacity r) by (intros c I; apply in_seq in I; apply C; lia).
  replace (repeat [] n) with (homes r (seq 0 n) tubes) by (rewrite (homes_empty r _ _ H); now rewrite seq_length).
  apply homes_solve.
  - apply seq_NoDup.
  - intros t c I J. apply in_seq. specialize (A t c I J). lia.
  - intros c I. now rewrite H.
Qed.

Theorem two_balls_proved : two_balls.
Proof.
  intros r n k T K board B. apply class_tubes in B as (tubes & P & F).
  apply (permuted_solvable r _ _ (Permutation_sym P)).
  pose proof (all_colours r n tubes F) as A. destruct F as (L & F & C).
  replace k with (2 + (k - 2)) by lia. rewrite repeat_app, app_assoc. apply more_empty.
  apply (permuted_solvable r ([] :: [] :: tubes)); [rewrite Permutation_app_comm; reflexivity|].
  apply (two_empty_tubes r T n); [assumption| |].
  - apply Forall_forall. intros t I. now rewrite <- T, (F t I).
  - intros c. destruct (Nat.lt_ge_cases c n) as [I|I]; [right; now rewrite <- T, (C c I)|left].
    rewrite all_of_is_count_occ. apply count_occ_not_In. intros J. apply in_concat in J as (t & J & M).
    specialize (A t c J M). lia.
Qed.

Theorem few_tubes_proved : few_tubes.
Proof.
  intros r n k K N H. pose proof (Nat.pow_nonzero (k + 1) (k + 1)). apply (no_plan_for_more r (k + 1)); [|lia|lia].
  assert (S : 2 <= k + 1) by lia. pose proof (tall_in_class r (k + 1) S H) as C.
  pose proof (tall_board r (k + 1) S H) as U.
  replace (k + 1 - 1) with k in * by lia. eauto.
Qed.

Theorem less_room_proved : less_room.
Proof.
  intros r before after U S. apply U, (permuted_solvable r ([] :: before ++ after)); [apply Permutation_middle|].
  now apply finished_added.
Qed.

Theorem new_colour_proved : new_colour.
Proof. intros r before after c m M N U S. apply U, (new_colour_useless r c before after m); assumption. Qed.

Theorem all_proved :
  one_tube_less /\ enough_tubes /\ two_balls /\ few_tubes /\ less_room /\ new_colour /\ by_borders
  /\ same_for_water.
Proof.
  exact (conj one_tube_less_proved (conj enough_tubes_proved (conj two_balls_proved (conj few_tubes_proved
    (conj less_room_proved (conj new_colour_proved (conj by_borders_proved same_for_water_proved))))))).
Qed.

Print Assumptions all_proved.
