(** The check of distance labels, and why it is right; docs/certificates.md says what labels mean. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Formal Require Import Statement Lists Moves Bound Listing.
Import ListNotations.

(** ** The bound in less time *)

(** The colour at the bottom of a tube, and how many balls of it lie there without another colour below. *)
Definition base (t : tube) : colour * nat :=
  match rev_append t [] with [] => (0, 0) | d :: rest => (d, S (run d rest)) end.

Definition bound_fast (r : rules) (shares : list share) (s : position) : nat :=
  if water r then bound r shares s else
  let bases := map base s in
  list_sum (map (fun h =>
    balls h - best_fast (homes h) (map (fun b => if fst b =? hue h then snd b else 0) bases)) shares).

Lemma bound_fast_right : forall r shares s, bound_fast r shares s = bound r shares s.
Proof.
  intros r shares s. unfold bound_fast. destruct (water r) eqn:W; [reflexivity|].
  unfold bound. f_equal. apply map_ext. intros h. unfold bound_of. rewrite W, best_fast_right, map_map.
  do 2 f_equal. apply map_ext. intros t. unfold base, kept. rewrite <- rev_alt. destruct (rev t) as [|d rest]; simpl.
  - now destruct (hue h).
  - destruct (Nat.eqb_spec d (hue h)) as [->|]; reflexivity.
Qed.

(** ** The check *)

Section Labels.
  Variable r : rules.

  (** The colours of a board. At the goal "full" a colour with [n] balls is in [n / capacity] tubes. *)
  Definition shares_of (board : position) : list share :=
    map (fun c =>
      let n := all_of c board in
      {| hue := c; balls := n; homes := if full r then Nat.div n (capacity r) else length board |})
      (nodup Nat.eq_dec (concat board)).

  (** Tubes have room for a ball, none is overfull, and at the goal "full" the balls of each colour fill whole tubes. *)
  Definition is_regular (shares : list share) (board : position) : bool :=
    (0 <? capacity r)
    && forallb (fun t => length t <=? capacity r) board
    && forallb (fun h => negb (full r) || (balls h =? homes h * capacity r)) shares.

  Definition value (shares : list share) (known : listing) (s : position) : label :=
    match found (sorted compare_tubes s) known with
    | Some l => l
    | None => AtLeast (bound_fast r shares s)
    end.

  (** Whether a position with the label [l] may be one move before one with the label [after]. *)
  Definition may_follow (l after : label) : bool :=
    match l, after with
    | _, NoPlan => true
    | AtLeast m, AtLeast n => m <=? S n
    | NoPlan, AtLeast _ => false
    end.

  Definition consistent (shares : list share) (known : listing) (s : position) (l : label) : bool :=
    negb (is_goal r s) && forallb (fun t => may_follow l (value shares known t)) (next r s).

  Definition is_solved (board : position) (plan : list move) : bool :=
    match played r board plan with Some s => is_goal r s | None => false end.

  Definition shows (a : answer) (board : position) (plan : list move) (worth : label) : bool :=
    match a, worth with
    | Unsolvable, NoPlan => true
    | Unsolvable, AtLeast _ => false
    | Optimal n, NoPlan => false
    | Optimal n, AtLeast m => (length plan =? n) && is_solved board plan && (n <=? m)
    end.

  Definition check_labels (board : position) (a : answer) (plan : list move) (known : listing) : bool :=
    let shares := shares_of board in
    is_regular shares board && shows a board plan (value shares known board) && every (consistent shares known) known.

  (** ** Why it is right *)

  Section Known.
    Variables (shares : list share) (known : listing).
    Hypothesis consistent_labels : every (consistent shares known) known = true.

    Lemma value_permuted : forall s t, Permutation s t -> value shares known s = value shares known t.
    Proof.
      intros s t P. unfold value. rewrite (sorted_equal _ tubes_ordered _ _ P).
      now rewrite !bound_fast_right, (bound_permuted _ _ _ _ P).
    Qed.

    (** A plan of [k] moves from [s] has at least as many moves as the value of [s]: by induction on the plan. *)
    Lemma value_right : forall s k, reaches r s k -> regular r shares s ->
      match value shares known s with AtLeast n => n <= k | NoPlan => False end.
    Proof.
      intros s k R. induction R as [s G | s s' k S R IH]; intros W; unfold value;
        destruct (found (sorted compare_tubes s) known) as [l|] eqn:F;
        try (rewrite bound_fast_right; eapply bound_admissible; [|exact W]);
        try (now constructor); try (econstructor; eassumption).
      - apply (every_found _ _ _ _ consistent_labels) in F. unfold consistent in F.
        rewrite (goal_permuted r _ _ (sorted_permuted compare_tubes s)), G in F. discriminate.
      - apply (every_found _ _ _ _ consistent_labels) in F. unfold consistent in F. apply andb_true_iff in F as [_ F].
        rewrite forallb_forall in F.
        destruct (next_all r (sorted compare_tubes s) s') as (t & I & P).
        { eapply step_permuted; [|exact S]. symmetry. apply sorted_permuted. }
        specialize (F t I). specialize (IH (regular_step _ _ _ _ S W)). rewrite (value_permuted _ _ P) in IH.
        destruct l as [m|], (value shares known t) as [n|]; simpl in F; try discriminate; try contradiction.
        apply Nat.leb_le in F. lia.
    Qed.
  End Known.

  Lemma shares_regular : forall board, is_regular (shares_of board) board = true -> regular r (shares_of board) board.
  Proof.
    intros board H. unfold is_regular in H. apply andb_true_iff in H as [H B]. apply andb_true_iff in H as [C F].
    rewrite forallb_forall in F, B. split; [now apply Nat.ltb_lt|]. split; [|split].
    - apply Forall_forall. intros t I. now apply Nat.leb_le, F.
    - unfold shares_of. rewrite map_map. simpl. rewrite map_id. apply NoDup_nodup.
    - apply Forall_forall. intros h I. specialize (B h I). unfold shared.
      unfold shares_of in I. apply in_map_iff in I as (c & <- & _). simpl in *. split; [reflexivity|].
      destruct (full r); [now apply Nat.eqb_eq|reflexivity].
  Qed.

  Theorem check_labels_right : forall board a plan known, check_labels board a plan known = true -> holds r board a.
  Proof.
    intros board a plan known H. unfold check_labels in H. apply andb_true_iff in H as [H L].
    apply andb_true_iff in H as [G S]. apply shares_regular in G.
    pose proof (fun p (E : solves r board p) => value_right _ _ L _ _ (solves_reaches r p board E) G) as V.
    destruct a as [n|], (value (shares_of board) known board) as [m|];
      simpl in S; try discriminate; simpl.
    - apply andb_true_iff in S as [S M]. apply andb_true_iff in S as [N S].
      apply Nat.eqb_eq in N. apply Nat.leb_le in M. split.
      + exists plan. split; [|assumption]. unfold is_solved in S. unfold solves.
        destruct (played r board plan) as [g|]; [|discriminate]. now exists g.
      + intros p E. specialize (V p E). lia.
    - exact V.
  Qed.
End Labels.
