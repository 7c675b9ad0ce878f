; Crates stacked at depots and distributors, moved by hoists and trucks.
(define (domain depots)
  (:requirements :strips :typing)
  (:types
    place locatable - object
    depot distributor - place
    truck hoist surface - locatable
    pallet crate - surface)
  (:predicates
    (at ?thing - locatable ?place - place)
    (on ?crate - crate ?surface - surface)
    (in ?crate - crate ?truck - truck)
    (lifting ?hoist - hoist ?crate - crate)
    (available ?hoist - hoist)
    (clear ?surface - surface))

  (:action drive
    :parameters (?truck - truck ?from - place ?to - place)
    :precondition (at ?truck ?from)
    :effect (and (not (at ?truck ?from)) (at ?truck ?to)))

  (:action lift
    :parameters (?hoist - hoist ?crate - crate ?surface - surface ?place - place)
    :precondition (and
      (at ?hoist ?place) (at ?crate ?place)
      (available ?hoist) (on ?crate ?surface) (clear ?crate))
    :effect (and
      (not (available ?hoist)) (lifting ?hoist ?crate)
      (not (at ?crate ?place)) (not (on ?crate ?surface))
      (not (clear ?crate)) (clear ?surface)))

  (:action drop
    :parameters (?hoist - hoist ?crate - crate ?surface - surface ?place - place)
    :precondition (and
      (at ?hoist ?place) (at ?surface ?place)
      (lifting ?hoist ?crate) (clear ?surface))
    :effect (and
      (available ?hoist) (not (lifting ?hoist ?crate))
      (at ?crate ?place) (on ?crate ?surface)
      (clear ?crate) (not (clear ?surface))))

  (:action load
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and (at ?hoist ?place) (at ?truck ?place) (lifting ?hoist ?crate))
    :effect (and (available ?hoist) (not (lifting ?hoist ?crate)) (in ?crate ?truck)))

  (:action unload
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and
      (at ?hoist ?place) (at ?truck ?place)
      (available ?hoist) (in ?crate ?truck))
    :effect (and
      (not (available ?hoist)) (lifting ?hoist ?crate) (not (in ?crate ?truck)))))
