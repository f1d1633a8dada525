(* bsp-sat-verified DIR... checks the claims of certificates by the proved checker. Exit code: 0 if they hold, 1 if one
   isn't shown, 2 if files can't be read or a claim is none that the checker covers.

   This file is not proved. What it reads as the board and the claim is printed, so that you can compare; that the claim
   holds for what is printed is the theorem in Proved.v, whatever is read from labels.bin and plan.json. *)

open Proved

exception Unreadable of string
exception Not_verified of string

let unreadable format = Printf.ksprintf (fun text -> raise (Unreadable text)) format
let not_verified format = Printf.ksprintf (fun text -> raise (Not_verified text)) format

let max_text_bytes = 4_000_000 (* of a JSON file *)
let max_labels_bytes = 100_000_000 (* of labels.bin *)
let max_table_bytes = 10_000_000
let max_positions = 2_000_000
let max_numbers = 50_000_000 (* of tubes, in all positions *)
let max_work = 10_000_000_000 (* positions, times the size of the board *)
let max_replay = 1_000_000_000 (* moves of the plan, times the size of the board *)
let max_tables = 1_000_000_000 (* border tables, times what one takes *)
let max_tubes = 1_000
let max_balls = 20_000
let max_seconds = 3_600. (* of processor time *)

(* -- files -- *)

(* The bytes of a regular file, opened once, never through a link. *)
let read_file folder name most =
  let path = Filename.concat folder name in
  let regular found = if found.Unix.st_kind <> Unix.S_REG then unreadable "%s: not a regular file" name in
  try
    let named = Unix.lstat path in
    regular named;
    let file = Unix.openfile path [ Unix.O_RDONLY; Unix.O_NONBLOCK; Unix.O_CLOEXEC ] 0 in
    let opened = Unix.fstat file in
    regular opened;
    if (named.st_dev, named.st_ino) <> (opened.st_dev, opened.st_ino) then unreadable "%s: replaced meanwhile" name;
    let stream = Unix.in_channel_of_descr file in
    set_binary_mode_in stream true;
    let text = Buffer.create 65536 in
    (try Buffer.add_channel text stream (most + 1) with End_of_file -> ());
    close_in stream;
    if Buffer.length text > most then unreadable "%s: more than %d bytes" name most;
    Buffer.contents text
  with
  | Unix.Unix_error (error, _, _) -> unreadable "%s: %s" name (Unix.error_message error)
  | Sys_error reason -> unreadable "%s: %s" name reason

let read_object folder name =
  match Json.parse (read_file folder name max_text_bytes) with
  | Json.Object fields -> fields
  | _ -> unreadable "%s: expected a JSON object" name
  | exception Json.Malformed problem -> unreadable "%s: %s" name problem

(* -- the claim and the board -- *)

type proof = Labels | Borders

(* The claimed number of moves, None for "there is no plan"; and the kind of proof. *)
let read_claim folder =
  let fields = read_object folder "claim.json" in
  let field key = Option.value (List.assoc_opt key fields) ~default:Json.Null in
  if List.exists (fun (key, _) -> not (List.mem key [ "status"; "length"; "proof" ])) fields then
    unreadable "claim.json: no claim that this program can check";
  match (field "proof", field "status", field "length") with
  | Json.Text "labels", Json.Text "optimal", Json.Int length -> (Some length, Labels)
  | Json.Text "labels", Json.Text "unsolvable", Json.Null -> (None, Labels)
  | Json.Text "borders", Json.Text "unsolvable", Json.Null -> (None, Borders)
  | _ -> unreadable "claim.json: no claim that this program can check"

type board = {
  rules : rules;
  start : position;  (* tubes from the top *)
  counts : int array;  (* balls of each colour *)
  cells : int;  (* balls and tubes *)
  drawing : string list;
}

let rules_for_tubes =
  [ "accepts"; "any_in"; "capacities"; "cork"; "drain"; "locked"; "no_in"; "no_out"; "partial"; "placement";
    "tube_colours"; "wanted" ]

let read_board folder =
  let fields = read_object folder "board.json" in
  let wrong what = unreadable "board.json: %s" what in
  let uncovered what = unreadable "board.json: %s: not covered by the proved checker" what in
  let field key = Option.value (List.assoc_opt key fields) ~default:Json.Null in
  let puzzle, water = match field "puzzle" with
    | Json.Text "ball-sort" -> ("ball-sort", false)
    | Json.Text "water-sort" -> ("water-sort", true)
    | Json.Text ("tiles" | "shot" as other) -> uncovered other
    | _ -> wrong "puzzle: expected ball-sort or water-sort"
  in
  List.iter (fun (key, value) ->
      match (key, value) with
      | ("name" | "source"), Json.Text _ | ("puzzle" | "capacity" | "tubes" | "goal"), _ -> ()
      | "reveal", Json.Text ("run" | "cell") -> ()  (* no matter which: nothing is hidden *)
      | _ when List.mem key rules_for_tubes -> uncovered key
      | _ -> wrong (Printf.sprintf "%s: not as expected" (Json.quoted key))) fields;
  let capacity = match field "capacity" with
    | Json.Int capacity when capacity >= 1 && capacity <= 10_000 -> capacity
    | _ -> wrong "capacity: expected a number from 1 to 10000"
  in
  let goal, full = match List.assoc_opt "goal" fields with
    | None | Some (Json.Text "full") -> ("full", true)
    | Some (Json.Text "monochrome") -> ("monochrome", false)
    | Some (Json.Text ("gathered" | "coloured" | "wanted" as other)) -> uncovered ("goal " ^ other)
    | Some _ -> wrong "goal: expected full or monochrome"
  in
  let codes = Hashtbl.create 16 in
  let code_of colour = match colour with
    | Json.Int _ | Json.Text _ ->
        if not (Hashtbl.mem codes colour) then Hashtbl.add codes colour (Hashtbl.length codes);
        Hashtbl.find codes colour
    | _ -> wrong "tubes: expected colours that are texts or whole numbers"
  in
  let too_many most what = if what > most then wrong "tubes: too large for this checker" in
  let listed = match field "tubes" with
    | Json.List (_ :: _ as tubes) ->
        too_many max_tubes (List.length tubes);
        List.map (function Json.List balls -> balls | _ -> wrong "tubes: expected lists of colours") tubes
    | _ -> wrong "tubes: expected lists of colours"
  in
  let balls = List.fold_left (fun sum tube -> sum + List.length tube) 0 listed in
  too_many max_balls balls;
  let tubes = List.map (List.map code_of) listed in
  if Hashtbl.length codes > 256 then wrong "tubes: more than 256 colours";
  if List.exists (fun tube -> List.length tube > capacity) tubes then wrong "tubes: a tube holds more than its capacity";
  let counts = Array.make (Hashtbl.length codes) 0 in
  List.iter (List.iter (fun ball -> counts.(ball) <- counts.(ball) + 1)) tubes;
  if full && Array.exists (fun count -> count mod capacity <> 0) counts then
    wrong "tubes: the balls of a colour don't fill whole tubes";
  let shown = function Json.Int number -> string_of_int number | Json.Text text -> Json.quoted text | _ -> "" in
  let line number tube = Printf.sprintf "  %d: [%s]" (number + 1) (String.concat ", " (List.map shown tube)) in
  let title = Printf.sprintf "%s, capacity %d, goal %s, tubes bottom first:" puzzle capacity goal in
  { rules = { water; full; capacity };
    start = List.map List.rev tubes;
    counts;
    cells = List.length tubes + balls;
    drawing = title :: List.mapi line listed }

(* -- positions -- *)

module Position = struct
  type t = position

  let compare one other = match compare_positions one other with Lt -> -1 | Eq -> 0 | Gt -> 1
end

module Positions = Set.Make (Position)

(* Positions with labels as the proved checker takes them: a tree in their order. *)
let listing labelled =
  Array.stable_sort (fun (one, _) (other, _) -> Position.compare one other) labelled;
  let rec tree low high =
    if low >= high then Empty
    else
      let middle = (low + high) / 2 in
      let position, label = labelled.(middle) in
      Listed (tree low middle, position, label, tree (middle + 1) high)
  in
  tree 0 (Array.length labelled)

(* The tables that the border argument leaves. That the list is complete is for the proved checker to see. *)
let border_tables board =
  let totals = totals_of board.start in
  let tubes = List.length board.start in
  let most = max_tables / (board.cells + (tubes * tubes) + Array.length board.counts) in
  let seen = ref Positions.empty and count = ref 0 and waiting = Stack.create () in
  let add table =
    let table = sorted compare_tubes table in
    if not (Positions.mem table !seen) then begin
      if !count > most then not_verified "too many border tables for this checker";
      seen := Positions.add table !seen;
      incr count;
      Stack.push table waiting
    end
  in
  add (List.map foot board.start);
  while not (Stack.is_empty waiting) do
    let table = Stack.pop waiting in
    if List.for_all is_empty table then not_verified "the border argument finds no obstacle";
    let further (one, others) =
      if not (blocked board.rules totals one others) then add (foot (List.tl one) :: others) in
    List.iter further (feet table)
  done;
  (!count, listing (Array.of_seq (Seq.map (fun table -> (table, NoPlan)) (Positions.to_seq !seen))))

(* -- the labels -- *)

(* A number of one, two or four bytes, the low one first. *)
let number_at data place width =
  let byte i = Char.code data.[place + i] in
  match width with
  | 1 -> byte 0
  | 2 -> byte 0 lor (byte 1 lsl 8)
  | _ -> byte 0 lor (byte 1 lsl 8) lor (byte 2 lsl 16) lor (byte 3 lsl 24)

(* The numbers of the first line, and where the compressed part begins. *)
let read_header data =
  let wrong () = unreadable "labels.bin: no header of this format" in
  let last = match String.index_opt data '\n' with Some place when place < 200 -> place | _ -> wrong () in
  let line = String.sub data 0 last in
  let taken parts table count size number label =
    let again = Printf.sprintf "bsp-sat labels 1: %d parts in %d bytes, %d positions of %d, numbers of %d, labels of %d"
        parts table count size number label in
    let is_number value = value >= 0 && value < 1_000_000_000 and is_wide value = List.mem value [ 1; 2; 4 ] in
    if again <> line || not (List.for_all is_number [ parts; table; count; size ] && is_wide number && is_wide label) then
      wrong ();
    (parts, table, count, size, number, label, last + 1)
  in
  try Scanf.sscanf line "bsp-sat labels 1: %d parts in %d bytes, %d positions of %d, numbers of %d, labels of %d" taken
  with Scanf.Scan_failure _ | Failure _ | End_of_file -> wrong ()

(* Byte strings in strictly rising order, each after its length in two bytes. *)
let read_table data table_bytes parts =
  let place = ref 0 in
  let part _ =
    let size = if !place + 2 <= table_bytes then number_at data !place 2 else table_bytes in
    if !place + 2 + size > table_bytes then unreadable "labels.bin: the table of parts is cut off";
    let text = String.sub data (!place + 2) size in
    place := !place + 2 + size;
    text
  in
  if 2 * parts > table_bytes then unreadable "labels.bin: the table of parts is cut off";
  let table = Array.init parts part in
  let rising = ref (!place = table_bytes) in
  for i = 1 to parts - 1 do
    if String.compare table.(i - 1) table.(i) >= 0 then rising := false
  done;
  if not !rising then unreadable "labels.bin: the table of parts is not in strictly rising order, or too long";
  table

(* The number of labelled positions, and what the proved checker takes for them. *)
let read_labels folder board =
  let data = read_file folder "labels.bin" max_labels_bytes in
  let parts, table_bytes, count, size, number_bytes, label_bytes, start = read_header data in
  let tubes = List.length board.start in
  if size <> tubes then not_verified "labels.bin: positions of %d parts, but the board has %d" size tubes;
  if table_bytes > max_table_bytes || count > max_positions || count * size > max_numbers
     || count * max (size * size) board.cells > max_work
  then unreadable "labels.bin: too large for this checker";
  let expected = table_bytes + (count * (label_bytes + (size * number_bytes))) in
  let data = try Inflate.inflate data start expected with Inflate.Damaged ->
    unreadable "labels.bin: the compressed part is damaged or not as long as the header says" in
  let table = read_table data table_bytes parts in
  let possible text =
    String.length text <= board.rules.capacity
    && String.for_all (fun ball -> Char.code ball < Array.length board.counts) text in
  if not (Array.for_all possible table) then not_verified "labels.bin: a tube that this board can't have";
  let tube_of text = String.fold_left (fun tube ball -> Char.code ball :: tube) [] text in
  let part_tubes = Array.map tube_of table in
  let first = table_bytes + (count * label_bytes) in
  let part place i = number_at data (first + (((place * count) + i) * number_bytes)) number_bytes in
  for place = 0 to size - 1 do
    for i = 0 to count - 1 do
      if part place i >= parts then unreadable "labels.bin: a part that is not in the table"
    done
  done;
  let rises i =
    let rec from place =
      place < size
      && (part place (i - 1) < part place i || (part place (i - 1) = part place i && from (place + 1)))
    in
    from 0
  in
  for i = 1 to count - 1 do
    if not (rises i) then unreadable "labels.bin: the positions are not in strictly rising order"
  done;
  let left = Array.make (Array.length board.counts) 0 in
  let read i =
    let numbers = List.init size (fun place -> part place i) in
    let rec sorted_numbers = function one :: (other :: _ as rest) -> one <= other && sorted_numbers rest | _ -> true in
    if not (sorted_numbers numbers) then not_verified "labels.bin: a position whose tubes are not sorted";
    Array.blit board.counts 0 left 0 (Array.length left);
    let take ball = left.(Char.code ball) <- left.(Char.code ball) - 1 in
    List.iter (fun number -> String.iter take table.(number)) numbers;
    if Array.exists (fun balls -> balls <> 0) left then
      not_verified "labels.bin: a position with other balls than the board's";
    let label = match number_at data (table_bytes + (i * label_bytes)) label_bytes with
      | 0 -> NoPlan
      | moves -> AtLeast moves in
    (sorted compare_tubes (List.map (fun number -> part_tubes.(number)) numbers), label)
  in
  (count, listing (Array.init count read))

(* -- the plan -- *)

(* Reads and replays the plan, to say where it fails. *)
let read_plan folder board length =
  let moves = match read_object folder "plan.json" with
    | [ ("plan", Json.List moves) ] -> moves
    | _ -> unreadable "plan.json: expected a list of moves under plan"
  in
  if List.length moves <> length then
    not_verified "the claim is %d moves, but the plan has %d" length (List.length moves);
  if length * board.cells > max_replay then unreadable "plan.json: too long for this checker";
  let play (step, position, plan) = function
    | Json.List [ Json.Int source; Json.Int target ] -> (
        let after = if source < 0 || target < 0 then None else moved board.rules position (source, target) in
        match after with
        | Some position -> (step + 1, position, (source, target) :: plan)
        | None -> not_verified "plan.json: plan[%d] is no legal move" step)
    | _ -> unreadable "plan.json: plan[%d]: expected [from, to]" step
  in
  let _, last, plan = List.fold_left play (0, board.start, []) moves in
  if not (is_goal board.rules last) then not_verified "plan.json: the board is not solved at the end of the plan";
  List.rev plan

(* -- the program -- *)

let counted count noun = Printf.sprintf "%d %s%s" count noun (if count = 1 then "" else "s")

let check_folder folder =
  let length, proof = read_claim folder in
  let board = read_board folder in
  let answer = match length with None -> Unsolvable | Some length -> Optimal length in
  let evidence, report = match proof with
    | Borders ->
        let count, tables = border_tables board in
        (ByBorders tables, Printf.sprintf "Borders: %d tables of feet, no way out." count)
    | Labels ->
        let count, labelled = read_labels folder board in
        let plan = match length with None -> [] | Some length -> read_plan folder board length in
        (ByLabels (plan, labelled), Printf.sprintf "Labels: %s, all consistent." (counted count "position"))
  in
  if not (check board.rules board.start answer evidence) then not_verified "the labels don't show what is claimed";
  print_endline ("Board: " ^ String.concat "\n" board.drawing);
  Option.iter (fun length -> Printf.printf "Plan: %s, replayed.\n" (counted length "move")) length;
  print_endline report;
  match length with
  | None -> print_endline "Verified: no plan exists."
  | Some length -> Printf.printf "Verified: %s is the minimum.\n" (counted length "move")

let verdict folder =
  let says code text = print_endline text; code in
  try check_folder folder; 0 with
  | Not_verified reason -> says 1 ("Not verified: " ^ reason)
  | Unreadable reason -> says 2 ("Unreadable: " ^ reason)
  | Stack_overflow | Out_of_memory -> says 2 "Unreadable: too large for this checker"

let () =
  match Array.to_list Sys.argv with
  | [] | [ _ ] -> prerr_endline "usage: bsp-sat-verified DIR..."; exit 2
  | _ :: folders ->
      let stop = Sys.Signal_handle (fun _ -> print_endline "Unreadable: too large for this checker"; exit 2) in
      Sys.set_signal Sys.sigvtalrm stop;
      ignore (Unix.setitimer Unix.ITIMER_VIRTUAL { it_interval = 0.; it_value = max_seconds });
      exit (List.fold_left (fun worst folder -> max worst (verdict folder)) 0 folders)
