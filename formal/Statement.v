(** What the proved checker shows: the rules of ball sort and water sort, what a plan is, and what an answer claims.

    [Proved.v] ends with the theorem: if [check] says [true] of a board and an answer, the answer [holds].
    So this file is what you have to read, and nothing after it. docs/certificates.md says what is left to trust. *)

From Coq Require Import List Arith Bool.
Import ListNotations.

(** Colours are numbers. A tube lists its balls from the top; a position lists its tubes. *)
Definition colour := nat.
Definition tube := list colour.
Definition position := list tube.

(** The rules that a board is played by.

    - [water]: a pour takes as many balls of the colour on top as there are and as fit; otherwise it takes one.
    - [full]: the goal wants every tube empty or full of one colour; otherwise every tube of one colour or empty.
    - [capacity]: the number of balls that fit into a tube, the same for all tubes. *)
Record rules := { water : bool; full : bool; capacity : nat }.

(** A tube takes a ball of colour [c] if there is room and it is empty or has this colour on top. *)
Definition takes (r : rules) (c : colour) (target : tube) : bool :=
  (length target <? capacity r) && match target with [] => true | d :: _ => d =? c end.

(** Puts balls of colour [c] from the top of [source] on [target], as long as there are some and there is room. *)
Fixpoint put_more (r : rules) (c : colour) (source target : tube) : tube * tube :=
  match source with
  | d :: rest => if (d =? c) && (length target <? capacity r) then put_more r c rest (d :: target) else (source, target)
  | [] => (source, target)
  end.

(** Both tubes after a pour; [None] if it isn't allowed. *)
Definition pour (r : rules) (source target : tube) : option (tube * tube) :=
  match source with
  | [] => None
  | c :: rest =>
      if takes r c target
      then Some (if water r then put_more r c rest (c :: target) else (rest, c :: target))
      else None
  end.

(** The list with [x] in place of element number [i], counted from 0. *)
Fixpoint replaced {A} (l : list A) (i : nat) (x : A) : list A :=
  match l, i with
  | [], _ => []
  | _ :: rest, 0 => x :: rest
  | y :: rest, S j => y :: replaced rest j x
  end.

(** A move names two tubes, from 0: from the first one balls are poured into the second one. *)
Definition move := (nat * nat)%type.

(** The position after a move; [None] if it is against the rules. *)
Definition moved (r : rules) (s : position) (m : move) : option position :=
  let (i, j) := m in
  if i =? j then None else
  match nth_error s i, nth_error s j with
  | Some source, Some target =>
      match pour r source target with
      | Some (source', target') => Some (replaced (replaced s i source') j target')
      | None => None
      end
  | _, _ => None
  end.

(** The position after some moves; [None] if one of them is against the rules. *)
Fixpoint played (r : rules) (s : position) (plan : list move) : option position :=
  match plan with
  | [] => Some s
  | m :: rest => match moved r s m with Some s' => played r s' rest | None => None end
  end.

(** Whether a tube is as the goal wants it. *)
Definition finished (r : rules) (t : tube) : bool :=
  match t with
  | [] => true
  | c :: _ => forallb (Nat.eqb c) t && (negb (full r) || (length t =? capacity r))
  end.

Definition is_goal (r : rules) (s : position) : bool := forallb (finished r) s.

(** A plan that leads from a position to a goal. *)
Definition solves (r : rules) (s : position) (plan : list move) : Prop :=
  exists goal, played r s plan = Some goal /\ is_goal r goal = true.

(** What a certificate claims. *)
Inductive answer := Optimal (moves : nat) | Unsolvable.

Definition holds (r : rules) (board : position) (a : answer) : Prop :=
  match a with
  | Optimal n =>
      (exists plan, solves r board plan /\ length plan = n)
      /\ (forall plan, solves r board plan -> n <= length plan)
  | Unsolvable => forall plan, ~ solves r board plan
  end.
