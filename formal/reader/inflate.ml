(* A zlib stream (RFC 1950, 1951) that must hold exactly the expected number of bytes. What it holds is checked like
   anything else in labels.bin: a mistake here could not make a false claim hold. *)

exception Damaged

let length_base = [| 3; 4; 5; 6; 7; 8; 9; 10; 11; 13; 15; 17; 19; 23; 27; 31; 35; 43; 51; 59; 67; 83; 99; 115; 131; 163; 195; 227; 258 |]
let length_extra = [| 0; 0; 0; 0; 0; 0; 0; 0; 1; 1; 1; 1; 2; 2; 2; 2; 3; 3; 3; 3; 4; 4; 4; 4; 5; 5; 5; 5; 0 |]
let distance_base = [| 1; 2; 3; 4; 5; 7; 9; 13; 17; 25; 33; 49; 65; 97; 129; 193; 257; 385; 513; 769; 1025; 1537; 2049; 3073; 4097; 6145; 8193; 12289; 16385; 24577 |]
let distance_extra = [| 0; 0; 0; 0; 1; 1; 2; 2; 3; 3; 4; 4; 5; 5; 6; 6; 7; 7; 8; 8; 9; 9; 10; 10; 11; 11; 12; 12; 13; 13 |]
let code_order = [| 16; 17; 18; 0; 8; 7; 9; 6; 10; 5; 11; 4; 12; 3; 13; 2; 14; 1; 15 |]

(* How many codes there are of each length, and the symbols in the order of their codes. *)
type code = { counts : int array; symbols : int array }

let code_of lengths ~may_be_incomplete =
  let counts = Array.make 16 0 in
  Array.iter (fun length -> counts.(length) <- counts.(length) + 1) lengths;
  let left = ref 1 in
  for length = 1 to 15 do
    left := (2 * !left) - counts.(length);
    if !left < 0 then raise Damaged
  done;
  if !left > 0 && not (may_be_incomplete && counts.(0) + counts.(1) = Array.length lengths) then raise Damaged;
  let offsets = Array.make 17 0 in
  for length = 1 to 15 do offsets.(length + 1) <- offsets.(length) + counts.(length) done;
  let symbols = Array.make (Array.length lengths) 0 in
  Array.iteri (fun symbol length ->
      if length > 0 then begin
        symbols.(offsets.(length)) <- symbol;
        offsets.(length) <- offsets.(length) + 1
      end) lengths;
  { counts; symbols }

(* [data] from the byte [start] on. *)
let inflate data start expected =
  let out = Bytes.create expected and size = ref 0 in
  let at = ref start and buffer = ref 0 and count = ref 0 in
  let byte () =
    if !at >= String.length data then raise Damaged;
    let value = Char.code (String.unsafe_get data !at) in
    incr at;
    value
  in
  let bits wanted =
    while !count < wanted do
      buffer := !buffer lor (byte () lsl !count);
      count := !count + 8
    done;
    let value = !buffer land ((1 lsl wanted) - 1) in
    buffer := !buffer lsr wanted;
    count := !count - wanted;
    value
  in
  let put value =
    if !size >= expected then raise Damaged;
    Bytes.unsafe_set out !size value;
    incr size
  in
  let decode { counts; symbols } =
    let rec longer length code first index =
      if length > 15 then raise Damaged;
      let code = code lor bits 1 and count = counts.(length) in
      if code - count < first then symbols.(index + code - first)
      else longer (length + 1) ((code) lsl 1) ((first + count) lsl 1) (index + count)
    in
    longer 1 0 0 0
  in
  let stored () =
    buffer := 0;
    count := 0;
    let two () = let low = byte () in low lor (byte () lsl 8) in
    let length = two () in
    if length + two () <> 0xffff then raise Damaged;
    for _ = 1 to length do put (Char.unsafe_chr (byte ())) done
  in
  let fixed () =
    let length symbol = if symbol < 144 then 8 else if symbol < 256 then 9 else if symbol < 280 then 7 else 8 in
    (code_of (Array.init 288 length) ~may_be_incomplete:false, code_of (Array.make 32 5) ~may_be_incomplete:false)
  in
  let dynamic () =
    let literals = bits 5 + 257 in
    let distances = bits 5 + 1 in
    let codes = bits 4 + 4 in
    if literals > 286 || distances > 30 then raise Damaged;
    let code_lengths = Array.make 19 0 in
    for i = 0 to codes - 1 do code_lengths.(code_order.(i)) <- bits 3 done;
    let code = code_of code_lengths ~may_be_incomplete:false in
    let lengths = Array.make (literals + distances) 0 and known = ref 0 in
    let add length times =
      for _ = 1 to times do
        if !known >= Array.length lengths then raise Damaged;
        lengths.(!known) <- length;
        incr known
      done
    in
    while !known < Array.length lengths do
      match decode code with
      | 16 -> if !known = 0 then raise Damaged; add lengths.(!known - 1) (3 + bits 2)
      | 17 -> add 0 (3 + bits 3)
      | 18 -> add 0 (11 + bits 7)
      | length -> add length 1
    done;
    if lengths.(256) = 0 then raise Damaged;
    ( code_of (Array.sub lengths 0 literals) ~may_be_incomplete:true,
      code_of (Array.sub lengths literals distances) ~may_be_incomplete:true )
  in
  let rec block (literals, distances) =
    let symbol = decode literals in
    if symbol < 256 then (put (Char.unsafe_chr symbol); block (literals, distances))
    else if symbol > 285 then raise Damaged
    else if symbol > 256 then begin
      let length = length_base.(symbol - 257) + bits length_extra.(symbol - 257) in
      let place = decode distances in
      if place > 29 then raise Damaged;
      let distance = distance_base.(place) + bits distance_extra.(place) in
      if distance > !size then raise Damaged;
      for _ = 1 to length do put (Bytes.get out (!size - distance)) done;
      block (literals, distances)
    end
  in
  let checksum () =
    let a = ref 1 and b = ref 0 in
    Bytes.iter (fun value -> a := (!a + Char.code value) mod 65521; b := (!b + !a) mod 65521) out;
    (!b lsl 16) lor !a
  in
  let compression = byte () in
  let flags = byte () in
  if ((compression lsl 8) lor flags) mod 31 <> 0 || compression land 15 <> 8 || compression lsr 4 > 7 || flags land 32 <> 0
  then raise Damaged;
  let rec blocks () =
    let last = bits 1 in
    (match bits 2 with
    | 0 -> stored ()
    | 1 -> block (fixed ())
    | 2 -> block (dynamic ())
    | _ -> raise Damaged);
    if last = 0 then blocks ()
  in
  blocks ();
  let found = List.fold_left (fun sum () -> (sum lsl 8) lor byte ()) 0 [ (); (); (); () ] in
  if !size <> expected || !at <> String.length data || found <> checksum () then raise Damaged;
  Bytes.unsafe_to_string out
