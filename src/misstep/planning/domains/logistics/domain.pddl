; Packages carried by trucks inside cities and by airplanes between airports.
; Untyped: what an object is stands in the initial state, as in published instances.
(define (domain logistics-strips)
  (:requirements :strips)
  (:predicates
    (obj ?package)
    (truck ?truck)
    (airplane ?airplane)
    (location ?place)
    (airport ?place)
    (city ?city)
    (at ?thing ?place)
    (in ?package ?vehicle)
    (in-city ?place ?city))

  (:action load-truck
    :parameters (?package ?truck ?place)
    :precondition (and
      (obj ?package) (truck ?truck) (location ?place)
      (at ?package ?place) (at ?truck ?place))
    :effect (and (not (at ?package ?place)) (in ?package ?truck)))

  (:action load-airplane
    :parameters (?package ?airplane ?place)
    :precondition (and
      (obj ?package) (airplane ?airplane) (location ?place)
      (at ?package ?place) (at ?airplane ?place))
    :effect (and (not (at ?package ?place)) (in ?package ?airplane)))

  (:action unload-truck
    :parameters (?package ?truck ?place)
    :precondition (and
      (obj ?package) (truck ?truck) (location ?place)
      (in ?package ?truck) (at ?truck ?place))
    :effect (and (not (in ?package ?truck)) (at ?package ?place)))

  (:action unload-airplane
    :parameters (?package ?airplane ?place)
    :precondition (and
      (obj ?package) (airplane ?airplane) (location ?place)
      (in ?package ?airplane) (at ?airplane ?place))
    :effect (and (not (in ?package ?airplane)) (at ?package ?place)))

  (:action drive-truck
    :parameters (?truck ?from ?to ?city)
    :precondition (and
      (truck ?truck) (location ?from) (location ?to) (city ?city)
      (at ?truck ?from) (in-city ?from ?city) (in-city ?to ?city))
    :effect (and (not (at ?truck ?from)) (at ?truck ?to)))

  (:action fly-airplane
    :parameters (?airplane ?from ?to)
    :precondition (and
      (airplane ?airplane) (airport ?from) (airport ?to) (at ?airplane ?from))
    :effect (and (not (at ?airplane ?from)) (at ?airplane ?to))))
