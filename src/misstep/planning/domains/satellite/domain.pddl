; Satellites that turn, power one instrument at a time, calibrate it and take images.
(define (domain satellite)
  (:requirements :strips :typing)
  (:types satellite direction instrument mode)
  (:predicates
    (on_board ?instrument - instrument ?satellite - satellite)
    (supports ?instrument - instrument ?mode - mode)
    (calibration_target ?instrument - instrument ?direction - direction)
    (pointing ?satellite - satellite ?direction - direction)
    (power_avail ?satellite - satellite)
    (power_on ?instrument - instrument)
    (calibrated ?instrument - instrument)
    (have_image ?direction - direction ?mode - mode))

  (:action turn_to
    :parameters (?satellite - satellite ?to - direction ?from - direction)
    :precondition (pointing ?satellite ?from)
    :effect (and (not (pointing ?satellite ?from)) (pointing ?satellite ?to)))

  (:action switch_on
    :parameters (?instrument - instrument ?satellite - satellite)
    :precondition (and (on_board ?instrument ?satellite) (power_avail ?satellite))
    :effect (and
      (power_on ?instrument)
      (not (calibrated ?instrument)) (not (power_avail ?satellite))))

  (:action switch_off
    :parameters (?instrument - instrument ?satellite - satellite)
    :precondition (and (on_board ?instrument ?satellite) (power_on ?instrument))
    :effect (and (not (power_on ?instrument)) (power_avail ?satellite)))

  (:action calibrate
    :parameters (?satellite - satellite ?instrument - instrument ?direction - direction)
    :precondition (and
      (on_board ?instrument ?satellite) (power_on ?instrument)
      (calibration_target ?instrument ?direction) (pointing ?satellite ?direction))
    :effect (calibrated ?instrument))

  (:action take_image
    :parameters
      (?satellite - satellite ?direction - direction ?instrument - instrument ?mode - mode)
    :precondition (and
      (on_board ?instrument ?satellite) (supports ?instrument ?mode)
      (power_on ?instrument) (calibrated ?instrument) (pointing ?satellite ?direction))
    :effect (have_image ?direction ?mode)))
