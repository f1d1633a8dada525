(** Why a board that is stuck for each of its [n] colours has a capacity of [n ^ n] or more.

    For each colour take the upper parts of tubes by which the board is stuck. Take two colours, and a tube in which the
    first one's part is the shorter one: the second one's part then has at least as many balls of other colours as the
    first one's has of the first colour. So the first one's part can't be the longer one in any other tube ([ordered]).
    Order the colours by the lengths of their parts. The parts of a colour contain those of all before it, so they have
    [n] balls of that colour, and [n] - 1 for each ball of a colour before it: [n ^ m] for the one with number [m]. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Borders Counts Homes Digging.
Import ListNotations.

(** ** Sums over the numbers below [n] *)

Fixpoint sum (f : nat -> nat) (n : nat) : nat := match n with 0 => 0 | S m => sum f m + f m end.

Lemma sum_one : forall f n i, i < n -> f i <= sum f n.
Proof.
  intros f n i. induction n as [|n IH]; intros L; [lia|]. simpl. destruct (Nat.eq_dec i n) as [->|]; [lia|].
  specialize (IH ltac:(lia)). lia.
Qed.

Lemma sum_two : forall f n i j, i < n -> j < n -> i <> j -> f i + f j <= sum f n.
Proof.
  intros f n i j. induction n as [|n IH]; intros L M D; [lia|]. simpl.
  destruct (Nat.eq_dec i n) as [->|]; [pose proof (sum_one f n j ltac:(lia)); lia|].
  destruct (Nat.eq_dec j n) as [->|]; [pose proof (sum_one f n i ltac:(lia)); lia|].
  specialize (IH ltac:(lia) ltac:(lia) D). lia.
Qed.

Lemma sum_at_most : forall f g n, (forall i, i < n -> f i <= g i) -> sum f n <= sum g n.
Proof.
  intros f g n H. induction n as [|n IH]; [reflexivity|]. simpl. pose proof (H n ltac:(lia)).
  assert (sum f n <= sum g n) by (apply IH; intros; apply H; lia). lia.
Qed.

Lemma sum_added : forall f g n, sum (fun i => f i + g i) n = sum f n + sum g n.
Proof. intros f g n. induction n as [|n IH]; simpl; lia. Qed.

Lemma sum_constant : forall k n, sum (fun _ => k) n = n * k.
Proof. intros k n. induction n as [|n IH]; simpl; lia. Qed.

Lemma sum_of_list : forall A (f : A -> nat) d l, list_sum (map f l) = sum (fun i => f (nth i l d)) (length l).
Proof.
  intros A f d l. induction l as [|x l IH] using rev_ind; [reflexivity|].
  rewrite map_app, list_sum_app, app_length, Nat.add_1_r, IH. simpl sum.
  rewrite app_nth2, Nat.sub_diag by lia. simpl. rewrite Nat.add_0_r. f_equal.
  assert (H : forall m, m <= length l -> sum (fun i => f (nth i l d)) m = sum (fun i => f (nth i (l ++ [x]) d)) m).
  { induction m as [|m IH']; intros L; [reflexivity|]. simpl. rewrite IH' by lia. now rewrite app_nth1 by lia. }
  now apply H.
Qed.

Lemma counts_at_most : forall t cs, NoDup cs -> list_sum (map (fun c => count c t) cs) <= length t.
Proof.
  intros t cs N. induction t as [|d t IH]; [clear; induction cs; [reflexivity|assumption]|].
  change (fun c => count c (d :: t)) with (fun c => (if d =? c then 1 else 0) + count c t).
  rewrite sum_both. exact (Nat.add_le_mono _ 1 _ _ (one_at_most d cs N) IH).
Qed.

Section Counting.
  Variable n : nat.
  Variable part : colour -> nat -> tube.  (* the upper part of a tube, for a colour *)

  Definition own (c : colour) (i : nat) : nat := count c (part c i).
  Definition strange (c : colour) (i : nat) : nat := length (part c i) - count c (part c i).

  Hypothesis several : 2 <= n.
  Hypothesis nested : forall c d i, c < n -> d < n -> i < n -> length (part c i) <= length (part d i) ->
    exists rest, part d i = part c i ++ rest.
  Hypothesis each_stuck : forall c i, c < n -> i < n -> sum (strange c) n < length (part c i).

  Lemma parts_of : forall c i, own c i + strange c i = length (part c i).
  Proof. intros c i. unfold own, strange. pose proof (count_at_most c (part c i)). lia. Qed.

  Lemma count_both : forall c d t, c <> d -> count c t + count d t <= length t.
  Proof.
    intros c d t N. pose proof (counts_at_most t [c; d]) as H. simpl in H. rewrite Nat.add_0_r in H. apply H.
    repeat constructor; simpl; intuition.
  Qed.

  Lemma own_strange : forall c d i, c < n -> d < n -> i < n -> c <> d ->
    length (part c i) <= length (part d i) -> own c i <= strange d i.
  Proof.
    intros c d i C D I N L. destruct (nested c d i C D I L) as [rest E]. unfold own, strange. rewrite E.
    pose proof (count_both c d (part c i ++ rest) N) as H. rewrite (count_joined c) in H. lia.
  Qed.

  Lemma not_crossed : forall c d i j, c < n -> d < n -> i < n -> j < n -> c <> d -> i <> j ->
    length (part c i) <= length (part d i) -> length (part c j) < length (part d j).
  Proof.
    intros c d i j C D I J N M L. apply Nat.lt_nge. intros K.
    pose proof (own_strange c d i C D I N L). pose proof (own_strange d c j D C J (not_eq_sym N) K).
    pose proof (each_stuck c i C I). pose proof (each_stuck d j D J). pose proof (parts_of c i).
    pose proof (parts_of d j).
    pose proof (sum_two (strange c) n i j I J M). pose proof (sum_two (strange d) n i j I J M). lia.
  Qed.

  (** If one colour's part is the shorter one in tube 0, it is so in all tubes. *)
  Lemma ordered : forall c d i, c < n -> d < n -> i < n -> c <> d ->
    length (part c 0) <= length (part d 0) -> length (part c i) <= length (part d i).
  Proof.
    intros c d i C D I N L. destruct (Nat.eq_dec i 0) as [->|]; [assumption|].
    apply Nat.lt_le_incl, (not_crossed c d 0 i); auto; lia.
  Qed.

  Lemma longest : forall cs, cs <> [] -> exists c rest, Permutation cs (c :: rest)
    /\ forall d, In d rest -> length (part d 0) <= length (part c 0).
  Proof.
    induction cs as [|c [|d cs] IH]; intros N; [contradiction|exists c, []; split; [reflexivity|contradiction]|].
    destruct IH as (e & rest & P & H); [discriminate|].
    destruct (Nat.le_ge_cases (length (part c 0)) (length (part e 0))) as [L|L].
    - exists e, (c :: rest). split; [rewrite P; apply perm_swap|]. intros x [<-|I]; [assumption|now apply H].
    - exists c, (e :: rest). split; [now rewrite P|]. intros x [<-|I]; [assumption|]. specialize (H x I). lia.
  Qed.

  Definition owned (cs : list colour) : nat := list_sum (map (fun c => sum (own c) n) cs).

  Lemma owned_swapped : forall cs, owned cs = sum (fun i => list_sum (map (fun c => own c i) cs)) n.
  Proof.
    unfold owned. induction cs as [|c cs IH].
    - simpl. clear. induction n as [|m IH]; simpl; lia.
    - cbn [map]. rewrite sum_more, IH, <- sum_added. reflexivity.
  Qed.

  (** The last of some colours has [n] balls, and [n] - 1 for each ball of those before it. *)
  Lemma last_colour : forall c cs, NoDup (c :: cs) -> (forall d, In d (c :: cs) -> d < n) ->
    (forall d, In d cs -> length (part d 0) <= length (part c 0)) -> n + (n - 1) * owned cs <= sum (own c) n.
  Proof.
    intros c cs N B L. assert (C : c < n) by (apply B; now left).
    assert (O : owned cs <= sum (strange c) n).
    { rewrite owned_swapped. apply sum_at_most. intros i I. unfold strange.
      apply Nat.le_trans with (list_sum (map (fun d => count d (part c i)) cs)).
      - apply sum_monotone. intros d J. assert (D : d < n) by (apply B; now right).
        assert (d <> c) by (intros ->; inversion_clear N; contradiction).
        destruct (nested d c i D C I) as [rest E]; [now apply ordered; auto|].
        unfold own. rewrite E, count_joined. lia.
      - pose proof (counts_at_most (part c i) (c :: cs) N) as H. cbn [map] in H. rewrite sum_more in H. lia. }
    assert (S : sum (fun _ => S (sum (strange c) n)) n <= sum (fun i => own c i + strange c i) n).
    { apply sum_at_most. intros i I. rewrite parts_of. now apply each_stuck. }
    rewrite sum_constant, sum_added in S. nia.
  Qed.

  Lemma many_owned : forall cs, NoDup cs -> (forall d, In d cs -> d < n) -> n ^ S (length cs) <= n + (n - 1) * owned cs.
  Proof.
    intros cs. remember (length cs) as m eqn:M. revert cs M. induction m as [|m IH]; intros cs M N B; [simpl; lia|].
    destruct (longest cs) as (c & rest & P & H); [now intros ->|].
    assert (O : owned cs = sum (own c) n + owned rest).
    { unfold owned. now rewrite (sum_permuted _ _ (Permutation_map (fun c => sum (own c) n) P)). }
    assert (N' : NoDup (c :: rest)) by now rewrite <- P.
    assert (B' : forall d, In d (c :: rest) -> d < n) by (intros d I; apply B; now rewrite P).
    pose proof (last_colour c rest N' B' H) as L. specialize (IH rest).
    assert (E : m = length rest) by (apply Permutation_length in P; unfold colour in *; simpl in P; lia).
    specialize (IH E). inversion_clear N' as [|? ? _ N''].
    specialize (IH N'' (fun d I => B' d (or_intror I))). rewrite Nat.pow_succ_r', O. nia.
  Qed.

  Theorem tall_when_stuck : exists c, c < n /\ n ^ n <= sum (own c) n.
  Proof.
    destruct (longest (seq 0 n)) as (c & rest & P & H); [destruct n; [lia|discriminate]|].
    assert (N : NoDup (c :: rest)) by (rewrite <- P; apply seq_NoDup).
    assert (B : forall d, In d (c :: rest) -> d < n) by (intros d I; rewrite <- P in I; apply in_seq in I; lia).
    exists c. split; [apply B; now left|]. pose proof (last_colour c rest N B H).
    assert (E : n = S (length rest)) by (apply Permutation_length in P; now rewrite seq_length in P).
    inversion_clear N as [|? ? _ N']. pose proof (many_owned rest N' (fun d I => B d (or_intror I))) as M.
    unfold colour in *. rewrite <- E in M. lia.
  Qed.
End Counting.
